"""The tables of the database, for admins to look at: an admin library's pages, read-only, below `PREFIX`."""

PREFIX = "/admin/tables"
