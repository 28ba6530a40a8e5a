"""The fast machine: programs emitted as WebAssembly, and run by wasmtime.

Comes in: the same verified `Program` that the reference machine runs. Goes out: a module of our own encoder,
and a machine that plays whole games in it. One line of stages: `encoder` and `body` write bytes; `kinds` and
`ranges` find out what slots hold; `memory` lays out the state; `emit_*` write the functions of the rules,
`runtime` and `playouts` those of the machine; `build` puts the module together; `host` runs it (the only file
that knows wasmtime); `decode` reads its memory as a `State` of the reference machine.

What never happens: a result that the reference machine would not give. Whatever is out of the ordinary (a
rule that fails, a budget used up, a number too large) traps, and the reference machine plays that game again.
"""
