"""Geometry that every board title may use: hexes, a hex map read from data, and paths over it."""
