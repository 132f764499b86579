"""The shapes on counters: arms in a box, ships and forts drawn free, emblems, echelons, badges. Ours, as path text.

Arms are 26 x 16 and stand in a paper box; free drawings are 36 x 22. Classes: f filled ink, h light hull, p ground
colour, o hole, w water. Emblems and echelons are about 7 units around 0,0; badges 13 units.
"""

ARMS = {
    "infantry": '<path d="M0 0 26 16M26 0 0 16"/>',
    "cavalry": '<path d="M0 16 26 0"/>',
    "field_artillery": '<circle class="f" cx="13" cy="8" r="3.6"/>',
    "artillery": '<circle class="f" cx="13" cy="8" r="3.6"/>',
    "siege_artillery": '<path d="M6 13h14" stroke-width="2"/><circle class="f" cx="13" cy="7" r="4"/>',
    "rocket_artillery": (
        '<circle class="f" cx="13" cy="10.8" r="2.8"/><path d="M8.5 6.6 13 2.6l4.5 4M8.5 9.6 13 5.6l4.5 4"/>'
    ),
    "engineer": '<path d="M6.5 12V5h13v7M13 5v6"/>',
    "supply": '<path d="M0 11.8h26"/><path d="M9 8.6V4.2h8v4.4zM9 6.4h8M13 4.2v4.4" stroke-width=".8"/>',
    "headquarters": '<path d="M0 5h26"/>',
    "ghq": (
        '<path d="M0 5h26"/><path class="f" d="M13 7.2l1 2.1 2.3.3-1.7 1.6.5 2.3-2.1-1.1-2.1 1.1.5-2.3-1'
        '.7-1.6 2.3-.3z"/>'
    ),
    "armour": '<rect x="5" y="4" width="16" height="8" rx="4"/>',
    "aircraft": '<path d="M13 8c3-4 9-4 9 0s-6 4-9 0-9-4-9 0 6 4 9 0z"/>',
    "truck": (
        '<path d="M6 11.5V5h8.5v6.5zM14.5 7h3.5l2 2.3v2.2H6"/>'
        '<circle class="f" cx="9" cy="12" r="1.5"/><circle class="f" cx="17" cy="12" r="1.5"/>'
    ),
}
WAVE = '<path class="w" d="M1 20.3q2.8-1.8 5.7 0t5.7 0 5.7 0 5.7 0 5.7 0 5.7 0"/>'
FREE = {
    "steamer": (
        '<path class="h" d="M2.5 12.5H33l-2.6 5.3H6.2z"/><path d="M33 12.5l2.6-1.6"/>'
        '<path class="p" d="M12.8 15.6a4.6 4.6 0 0 1 9.2 0z"/>'
        '<path d="M17.4 15.4v-4M14.4 15l1.6-2.8M20.4 15l-1.6-2.8" stroke-width=".7"/>'
        '<path class="h" d="M19.3 5.6h3v5.4h-3z"/><path d="M9.5 12.3V2.6M27.5 12.3V3.6M6.6 5.4h5.8M25 6.2h5"/>'
        '<path d="M20.6 4c-1.5-2.2-4.2-1-5.7-2.8" stroke-width=".8"/>' + WAVE
    ),
    "gunboat": (
        '<path class="h" d="M3 13.2 5 12h25.5l3 1.2-2.8 4.6H6.6z"/>'
        '<path d="M8.8 11.8V3M6 6h5.6" /><path class="h" d="M16.6 6.4h2.8v5.4h-2.8z"/>'
        '<path d="M22 10.8h7.4" stroke-width="2"/><path d="M24 11.8v-1.6" stroke-width="1.6"/>'
        '<path d="M17.8 4.8c-1.3-1.8-3.6-.8-5-2.2" stroke-width=".8"/>' + WAVE
    ),
    "frigate": (
        '<path class="h" d="M2 11.6 4.4 10.4h27L34.4 9l-3.4 8.8H6.2z"/>'
        '<path class="o" d="M9 13h1.6v1.3H9zM13 13h1.6v1.3H13zM17 13h1.6v1.3H17zM21 13h1.6v1.3H21zM25 13h1.6v1.3H25z"/>'
        '<path d="M9.4 10.2V1.4M18.2 10.2V.8M27 10.2V2M6 3.4h6.8M5.6 6.4h7.6M14.6 2.8h7.2M14.2 6h8M23.8 4h6.4'
        'M23.4 6.8h7.2"/>' + WAVE
    ),
    "ship_of_line": (
        '<path class="h" d="M1.6 10.4 4 9.6h28l2.6-1.4-2.8 9.6H5.8z"/>'
        '<path class="o" d="M8 11.4h1.4v1.1H8zM11.4 11.4h1.4v1.1h-1.4zM14.8 11.4h1.4v1.1h-1.4zM18.2 11.4h1.4v1.1'
        'h-1.4zM21.6 11.4H23v1.1h-1.4zM25 11.4h1.4v1.1H25zM9 14.4h1.4v1.1H9zM12.6 14.4H14v1.1h-1.4zM16.2 14.4h1.4'
        'v1.1h-1.4zM19.8 14.4h1.4v1.1h-1.4zM23.4 14.4h1.4v1.1h-1.4z"/>'
        '<path d="M9 9.6V.8M18 9.6V.3M27 9.6V1.2M5.4 2.6h7.2M4.8 5h8.4M5.2 7.4h7.6M14 2h8M13.4 4.6h9.2M13.8 7.2h8.4'
        'M23.6 3h6.8M23 5.4h8M23.4 7.6h7.2"/>' + WAVE
    ),
    "ironclad": (
        '<path class="h" d="M3 14.2h30.6l-1.8 1.3 2.3 2.3H6.4z"/><path class="h" d="M10 14V9.3h14.4L26 14z"/>'
        '<path class="o" d="M12.3 10.8h2v1.7h-2zM16.6 10.8h2v1.7h-2zM20.9 10.8h2v1.7h-2z"/>'
        '<path class="h" d="M16.2 3.6h3.2V9h-3.2z"/><path d="M8 14V4.2M28.6 14V5.8M6 6.3h4"/>' + WAVE
    ),
    "monitor": (
        '<path class="h" d="M1.6 15.8h33l-2.4 2.2H4.6z"/><path class="h" d="M12 15.5v-4.8h9.6v4.8z"/>'
        '<path d="M21.6 12.8h5.6" stroke-width="1.5"/><path class="o" d="M13.8 12.2h1.6v1.6h-1.6z"/>'
        '<path class="h" d="M7.6 7.6H10v7.9H7.6z"/>'
        '<path d="M29.6 15.6V9.3h3.4l-1 1.2 1 1.2h-3.4" stroke-width=".8"/>' + WAVE
    ),
    "transport": (
        '<path class="h" d="M2.5 12.8H33l-2.6 5H6.2z"/><path class="p" d="M6.8 12.6V8.4h21.6v4.2z"/>'
        '<path d="M10.4 9.8v1.6M13.6 9.8v1.6M16.8 9.8v1.6M20 9.8v1.6M23.2 9.8v1.6M26 9.8v1.6" stroke-width="1.1"/>'
        '<path class="h" d="M15.6 3.4h3v4.8h-3z"/><path d="M8.8 8.2V4.6l3.4.9-3.4 1" stroke-width=".8"/>' + WAVE
    ),
    "gun_raft": (
        '<path class="h" d="M5 14.6h26v3.2H5z"/><path class="p" d="M11.5 14.4l2-3.6h6l2 3.6z"/>'
        '<path d="M13 10.2 26.6 6.8" stroke-width="2.6"/><path d="M11.4 10.6h2.4" stroke-width="2"/>' + WAVE
    ),
    "fortress": (
        '<path class="p" d="M18 .8 22.2 4h6.3V9l3.7 2-3.7 2v5h-6.3L18 21.2 13.8 18H7.5v-5l-3.7-2 3.7-2V4h6.3z"/>'
        '<path d="M18 4.3 20.8 6.6h4.9V10l1.8 1-1.8 1v3.4h-4.9L18 17.7l-2.8-2.3h-4.9V12l-1.8-1 1.8-1V6.6h4.9z" '
        'stroke-width=".7"/><circle class="h" cx="18" cy="11" r="1.8"/>'
    ),
    "leader": (
        '<ellipse class="p" cx="18" cy="11" rx="10.4" ry="10.6"/>'
        '<path class="h" d="M10.6 18.3c.6-3.5 2.6-4.7 5.2-5.1l2.2 1.5 2.2-1.5c2.6.4 4.6 1.6 5.2 5.1a10 10 0 0 1-14.8 0z'
        'M14.8 7.4c0-4.9 6.4-4.9 6.4 0 0 2.8-1.5 5-3.2 5s-3.2-2.2-3.2-5z"/>'
        '<path d="M9.9 16.6h3.6M22.5 16.6h3.6" stroke-width="1.3"/>'
    ),
}
FRAMES = {"fortress": (5.5, 10.8, 33 / 36), "leader": (7.0, 12.2, 30 / 36)}  # x, y and scale of a free drawing
FREE_FRAME = (4.0, 8.5, 1.0)
EMBLEMS = {
    "star": "M0-3.3.9-1.1 3.2-1 1.4.5 2 2.8 0 1.5-2 2.8-1.4.5-3.2-1-.9-1.1z",
    "sun": (
        "M-1.5 0a1.5 1.5 0 1 1 3 0 1.5 1.5 0 1 1-3 0zM0-3.3v1.3M0 2v1.3M-3.3 0h1.3M2 0h1.3"
        "M-2.3-2.3l.9.9M1.4 1.4l.9.9M2.3-2.3l-.9.9M-1.4 1.4l-.9.9"
    ),
    "lozenge": "M0-3.2 3.6 0 0 3.2-3.6 0z",
    "bars": "M-3.4-2.2h6.8M-3.4 0h6.8M-3.4 2.2h6.8",
    "rings": "M-3.1 1.2a1.7 1.7 0 1 0 3.4 0 1.7 1.7 0 1 0-3.4 0zM-1.7-1.4a1.7 1.7 0 1 0 3.4 0 1.7 1.7 0 1 0-3.4 0z"
    "M-.3 1.2a1.7 1.7 0 1 0 3.4 0 1.7 1.7 0 1 0-3.4 0z",
}
ECHELONS = {  # path and half its width
    "II": ("M-1.5-2.6v5.2M1.5-2.6v5.2", 1.5),
    "III": ("M-2.8-2.6v5.2M0-2.6v5.2M2.8-2.6v5.2", 2.8),
    "X": ("M-2.4-2.4l4.8 4.8M2.4-2.4l-4.8 4.8", 2.4),
    "XX": ("M-5-2.3-.4 2.3M-.4-2.3-5 2.3M.4-2.3 5 2.3M5-2.3.4 2.3", 5.0),
}
EDGES = {
    "keyline": '<rect class="keyline" x="2" y="2" width="40" height="40" rx="1"/>',
    "corners": '<path class="notch" d="M.5.5h5l-5 5zM43.5.5v5l-5-5z"/>',
}
BADGES = {
    "spent": '<circle class="bg" r="6"/><path d="M-2.4-3.2h4.8L-2.4 3.2h4.8z"/>',
    "unsupplied": (
        '<path class="bg" d="M0-6.5 6.5 0 0 6.5-6.5 0z"/><path d="M-2-1.8h4v4.2h-4zM-2-.2h4M3.6-3.6-3.6 3.6"/>'
    ),
    "siege": '<path class="bg" d="M-5.5-5.5h11v11h-11z"/><path d="M-3.6 2.8V-.5h1.8v-2.3h3.6v2.3h1.8v3.3z"/>',
    "moved": '<path class="bg" d="M-6-4.5H1.5L6.5 0 1.5 4.5H-6z"/><path d="M-3.5 0h6M.2-2.3 2.6 0 .2 2.3"/>',
    "aboard": (
        '<path class="bg" d="M-6-2.5A6 6 0 0 1 6-2.5V2.5A6 6 0 0 1-6 2.5z"/>'
        '<path d="M-3.8 1h7.6L2.6 3.2h-5.2zM0 .8v-5l2.8 3.4H0"/>'
    ),
    "attacked": (
        '<path class="bg" d="M-6-3.4-3.4-6 0-4.4 3.4-6 6-3.4 4.4 0 6 3.4 3.4 6 0 4.4-3.4 6-6 3.4-4.4 0z"/>'
        '<path d="M-2.6-2.6l5.2 5.2M2.6-2.6l-5.2 5.2"/>'
    ),
    "active": '<circle class="bg" r="6.4"/><path d="M-2-3.2 3 0-2 3.2z"/>',
    "assigned": '<circle class="bg" r="6.4"/><path d="M-3.4 1.6V-1h6M.8-3 3-.9.8 1.2"/>',
    "blown-1": '<circle class="bg" r="6.4"/><path d="M-2.9 3.4V-.5a2.9 2.9 0 0 1 5.8 0v3.9M-4 3.4h2.2M1.8 3.4H4"/>',
    "blown-2": (
        '<circle class="bg" r="6.4"/>'
        '<path d="M-2.9 3.4V-.5a2.9 2.9 0 0 1 5.8 0v3.9M-4 3.4h2.2M1.8 3.4H4M-1-.2h2M-1 1.8h2"/>'
    ),
    "breakpoint": '<circle class="bg" r="6.4"/><path d="M-4-3h8v6h-8zM.7-3-1-.7 1 .7-.7 3"/>',
    "building": '<path class="bg" d="M-5.5-5.5h11v11h-11z"/><path d="M-3 3.2 1.6-1.4M.2-2.8l3 3M-3.6 2.6l1.2 1.2"/>',
    "capped": '<circle class="bg" r="6.4"/><path d="M-3.4-2h6.8M0-2v4.6M-1.6 1 0 2.6 1.6 1"/>',
    "commander": (
        '<circle class="bg" r="6.4"/>'
        '<path d="M0-3.8 1.1-1.2 3.8-1 1.7.8 2.4 3.5 0 2-2.4 3.5-1.7.8-3.8-1-1.1-1.2z"/>'
    ),
    "disordered": '<circle class="bg" r="6.4"/><path d="M-3.6-2.4l3 1M.8-2.6l2.6 2M-3 1.2l2-1.6M.2 2.4l3.2-1"/>',
    "drawn": '<circle class="bg" r="6.4"/><path d="M-2.8.2-.8 2.4 3-2.6"/>',
    "finished": '<circle class="bg" r="6.4"/><path d="M-2.3-3.2h4.6L-2.3 3.2h4.6z"/>',
    "fired": '<circle class="bg" r="6.4"/><path d="M-4 1.6h4.4M1.8-.2l2.6-2.2M2.2 1.4h2.6M1.8 3l2.6 1.6"/>',
    "guerrilla": '<path class="bg" d="M0-6.8 6.2 4.6H-6.2z"/><path d="M-2.8 2.6 2-2.2M-.4-2.6 2.4.2M-2.6-.4h2"/>',
    "recovery": '<circle class="bg" r="6.4"/><path d="M-3 .6A3 3 0 1 1 0 3.4M-4.6-.8-3 .8-1.4-.8"/>',
    "replaced": '<circle class="bg" r="6.4"/><path d="M-3.4-1.4h6M1-3l1.8 1.6L1 .2M3.4 1.8h-6M-1 .2l-1.8 1.6L-1 3.4"/>',
    "rout": '<circle class="bg" r="6.4"/><path d="M-2.8 4v-8q2-1.1 3 0t3 0v4q-2 1.1-3 0t-3 0"/>',
    "shaken": '<circle class="bg" r="6.4"/><path d="M-3.8 0q1-3.4 1.9 0t1.9 0 1.9 0 1.9 0"/>',
    "strategic": (
        '<path class="bg" d="M-6.5-4.5H2L6.5 0 2 4.5h-8.5z"/>'
        '<path d="M-4-1.6h5.6M-4 1.6h5.6M1-2.8 3.8 0 1 2.8"/>'
    ),
    "unsteady": '<circle class="bg" r="6.4"/><path d="M0-3.8V1M0 3v.4"/>',
    "guard": '<path class="bg" d="M-5.2-5.6h10.4V0q0 4-5.2 6.4Q-5.2 4-5.2 0z"/><path d="M0-3.4v6.4M-2.6-.8h5.2"/>',
}
