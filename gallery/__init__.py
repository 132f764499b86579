"""The pictures of every kind of page: people, what they have done on a server, and the scenes to be shown."""
