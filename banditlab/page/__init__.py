"""The compiled loop as WebAssembly: what numba makes of `engine.loop.run` for a pair, for a page without a kernel.

A process of its own retargets numba (`retarget`), compiles the pair with an entry that reads its fields from memory
(`entry`), links mathematics, streams and memory (`link`), and makes the object file a module (`object_file`); `modules`
is what others call, `worker.js` plays what it builds.

What a figure of the explorer plays at every position of its controls stands in tables (`tables`, `played`), how it is
drawn of it, too (`traces`, `lines`, `sketch`), and where tables have no room, one control alone (`alone`) and settings
that the page names (`wanted`); `plays` finds all of a report (`packing`: as one text). There `tables.js` looks fields
up, `player.js` gives runs to workers, and `lines.js` draws what they found.
May import `analysis`, `explorer` and what these may import.
"""
