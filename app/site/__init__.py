"""Mariscal as an app on a device: its manifest, its service worker, and the page it shows without a connection."""
