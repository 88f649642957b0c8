"""Further kinds of change for `test_never_stale`, by an author who had not seen how the keys are made."""


def mine(select="0", init="0", update="state"):
    """A policy, with these expressions for what its methods return."""
    return f"""
class Mine(NamedTuple):
    arms: int
    def init(self, rng): return {init}
    def select(self, state, t, rng): return {select}
    def update(self, state, action, observation, t, rng): return {update}
"""


def loops(body):
    """A policy whose method has these lines."""
    lines = "".join(f"        {line}\n" for line in body.splitlines())
    return (
        mine()
        + f"class Looping(Mine):\n    __slots__ = ()\n    def select(self, state, t, rng):\n{lines}Mine = Looping\n"
    )


def read(value, how="float(Path('data.txt').read_text())"):
    return f"Path('data.txt').write_text('{value}')\nN = {how}\n"


STATE = "class State(NamedTuple):\n    a: int\n    b: int = {}\n"
BASES = "class A:\n    def arm(self): return 3\nclass B:\n    def arm(self): return 7\n"
MIXED = "class Mixed(Mine, {}):\n    __slots__ = ()\nMine = Mixed"
SHIFT = "def shift(by):\n    def wrap(f):\n        def g(x): return f(x) {} by\n        return g\n    return wrap\n"
TWO = "".join(
    f"def {name}(f):\n    def g(x): return f(x) {what}\n    return g\n"
    for name, what in (("one", "+ 1"), ("two", "* 2"))
)
KIND = "class Kind(enum.IntEnum):\n    A = 3\n    def arm(self): return {}\n"

FURTHER = {  # what a first cell holds, and what a second one changes
    "a data file read at import": (read(3) + mine("N"), read(7)),
    "a table read at import": (
        read("1 3", "np.loadtxt(Path('data.txt').read_text().splitlines())") + mine("N[1]"),
        read("1 7", "np.loadtxt(Path('data.txt').read_text().splitlines())"),
    ),
    "a json file read at import": (
        read('{"a": 3}', "json.loads(Path('data.txt').read_text())") + mine("N['a']"),
        read('{"a": 7}', "json.loads(Path('data.txt').read_text())"),
    ),
    "an array file read at import": (
        "np.save('n.npy', np.zeros(3))\nN = np.load('n.npy')" + mine("N[0]"),
        "np.save('n.npy', np.ones(3))\nN = np.load('n.npy')",
    ),
    "an environment variable read at import": (
        "os.environ['MINE'] = '3'\nN = int(os.environ['MINE'])" + mine("N"),
        "os.environ['MINE'] = '7'\nN = int(os.environ['MINE'])",
    ),
    "a helper chosen by an environment variable": (
        "def f(): return 3\ndef g(): return 7\nos.environ['MINE'] = 'f'\nh = globals()[os.environ['MINE']]"
        + mine("h()"),
        "os.environ['MINE'] = 'g'\nh = globals()[os.environ['MINE']]",
    ),
    "a constant of the class": (mine("self.SCALE") + "Mine.SCALE = 3", "Mine.SCALE = 7"),
    "an array of the class": (mine("self.W[0]") + "Mine.W = np.zeros(2)", "Mine.W[0] = 7"),
    "a constant called _": (mine("self._") + "Mine._ = 3", "Mine._ = 7"),
    "a constant called _C_": (mine("self._C_") + "Mine._C_ = 3", "Mine._C_ = 7"),
    "__call__": (mine("self()") + "Mine.__call__ = lambda self: 3", "Mine.__call__ = lambda self: 7"),
    "__add__": (mine("self + 1") + "Mine.__add__ = lambda self, n: 3", "Mine.__add__ = lambda self, n: 7"),
    "__len__": (mine("len(self)") + "Mine.__len__ = lambda self: 3", "Mine.__len__ = lambda self: 7"),
    "a constant of math": (mine("math.tau"), "math.tau = 3.0"),
    "a constant of numpy": (mine("np.pi"), "np.pi = 3.0"),
    "a function of numpy for another": (mine("np.sqrt(t)"), "np.sqrt = np.exp"),
    "a function of math for another": (mine("math.log(t)"), "math.log = math.exp"),
    "a function of a part of numpy": (
        mine("np.linalg.det(state)"),
        "def det(x): return 3\nnp.linalg.det = det",
    ),
    "a builtin function": (mine("max(t, 1)"), "def largest(a, b): return a\nbuiltins.max = largest"),
    "a partial's keyword": (
        "def f(x, n=1): return n\ng = functools.partial(f, n=3)" + mine("g(t)"),
        "g = functools.partial(f, n=7)",
    ),
    "a partial of a partial": (
        "def f(a, b, x): return a\ng = functools.partial(functools.partial(f, 3), 1)" + mine("g(t)"),
        "g = functools.partial(functools.partial(f, 7), 1)",
    ),
    "a partial of a decorated function": (
        SHIFT.format("+") + "@shift(1)\ndef f(x): return x\ng = functools.partial(f, 3)" + mine("g()"),
        SHIFT.format("-") + "@shift(1)\ndef f(x): return x\ng = functools.partial(f, 3)",
    ),
    "a decorator's argument": (
        SHIFT.format("+") + "@shift(3)\ndef f(x): return x" + mine("f(t)"),
        "@shift(7)\ndef f(x): return x",
    ),
    "a decorator taken away": (
        SHIFT.format("+") + "@shift(3)\ndef f(x): return x" + mine("f(t)"),
        "def f(x): return x",
    ),
    "the order of decorators": (
        TWO + "@one\n@two\ndef f(x): return x" + mine("f(t)"),
        "@two\n@one\ndef f(x): return x",
    ),
    "a decorated method": (
        TWO + mine() + "Mine.arm = one(lambda self: 3)",
        "Mine.arm = two(lambda self: 3)",
    ),
    "a cached function's argument": (
        "@functools.lru_cache(8)\ndef f(x): return 3" + mine("f(t)"),
        "@functools.lru_cache(8)\ndef f(x): return 7",
    ),
    "a mixin's method": (
        BASES + mine("self.arm()") + MIXED.format("A"),
        "A.arm = lambda self: 9",
    ),
    "another mixin": (
        BASES + mine("self.arm()") + "Own = Mine\n" + MIXED.format("A"),
        "Mine = Own\n" + MIXED.format("B"),
    ),
    "the order of mixins": (
        BASES + mine("self.arm()") + "Own = Mine\n" + MIXED.format("A, B"),
        "Mine = Own\n" + MIXED.format("B, A"),
    ),
    "a method that hides an inherited one": (
        BASES + mine("self.arm()") + MIXED.format("A"),
        "Mine.arm = lambda self: 9",
    ),
    "a method that is another one": (
        mine("self.arm()") + "Mine.arm = lambda self: 3\nMine.other = lambda self: 7",
        "Mine.arm = Mine.other",
    ),
    "a property": (
        mine("self.half") + "Mine.half = property(lambda self: 3)",
        "Mine.half = property(lambda self: 7)",
    ),
    "a class method": (
        mine("self.make()") + "Mine.make = classmethod(lambda cls: 3)",
        "Mine.make = classmethod(lambda cls: 7)",
    ),
    "what a function holds, changed in place": (
        "w = np.zeros(2)\ndef make(w):\n    return lambda: w[0]\nf = make(w)" + mine("f()"),
        "w[0] = 7",
    ),
    "what a function in a function holds": (
        "def make(n):\n    def outer():\n        return (lambda: n)()\n    return outer\nf = make(3)" + mine("f()"),
        "f = make(7)",
    ),
    "a default that is a function": (
        "def f(): return 3\ndef g(h=f): return h()" + mine("g()"),
        "def f(): return 7\ndef g(h=f): return h()",
    ),
    "a default of a field": (STATE.format(3) + mine("state.b", init="State(0)"), STATE.format(7)),
    "a field added": (
        STATE.format(3) + mine("len(state)", init="State(0)"),
        STATE.format(3) + "    c: int = 0\n",
    ),
    "a field with another name": (
        STATE.format(3) + mine("state[1]", init="State(0)"),
        STATE.format(3).replace("b:", "c:"),
    ),
    "a class within a function": (
        "def make(n):\n    class Inner(NamedTuple):\n        a: int\n        def arm(self): return n\n"
        "    return Inner\n"
        "State = make(3)" + mine("state.arm()", init="State(0)"),
        "State = make(7)",
    ),
    "functions in a dict": ("F = {'a': lambda: 3}" + mine("F['a']()"), "F = {'a': lambda: 7}"),
    "functions in a tuple": ("F = (lambda: 3, lambda: 7)" + mine("F[0]()"), "F = F[::-1]"),
    "arrays in a dict": ("N = {'a': np.zeros(2)}" + mine("N['a'][0]"), "N['a'][0] = 7"),
    "arrays in a list": ("N = [np.zeros(2), np.ones(2)]" + mine("N[0][0]"), "N.reverse()"),
    "the order of a dict": ("N = {'a': 3, 'b': 7}" + mine("[*N][0]"), "N = {'b': 7, 'a': 3}"),
    "a key of a dict": ("N = {3: 1}" + mine("N[3]"), "N = {3.5: 1}"),
    "a tuple of tuples": ("N = ((1, 2), (3,))" + mine("N[1][0]"), "N = ((1, 2), (7,))"),
    "how tuples are cut": ("N = ((1, 2), (3,))" + mine("N[1][0]"), "N = ((1,), (2, 3))"),
    "a truth in a global array": ("N = np.array([True, False])" + mine("N[0]"), "N[0] = False"),
    "a text in a global array": ("N = np.array(['a', 'b'])" + mine("N[0]"), "N[0] = 'c'"),
    "a record in a global array": (
        "N = np.zeros(1, [('a', 'f8')])" + mine("N[0]['a']"),
        "N[0]['a'] = 7",
    ),
    "the sign of a zero in a global array": ("N = np.zeros(1)" + mine("1 / N[0]"), "N[0] = -0.0"),
    "a complex number": ("N = 3 + 1j" + mine("N"), "N = 3 - 1j"),
    "a method of an enumeration": (KIND.format(3) + mine("Kind.A.arm()"), KIND.format(7)),
    "a flag": (
        "class Kind(enum.IntFlag):\n    A = 1" + mine("Kind.A"),
        "class Kind(enum.IntFlag):\n    A = 2",
    ),
    "a lambda": ("f = lambda: 3" + mine("f()"), "f = lambda: 7"),
    "a lambda's default": ("f = lambda n=3: n" + mine("f()"), "f = lambda n=7: n"),
    "a class of a module": (
        "exec('class C:\\n    N = 3', vars(library))" + mine("library.C.N"),
        "library.C.N = 7",
    ),
    "a global of a module's function": (
        "library.N = 3\nexec('def f(): return N', vars(library))" + mine("library.f()"),
        "library.N = 7",
    ),
    "what a star import brings": (
        "library.N = 3\nglobals().update({'N': library.N})" + mine("N"),
        "library.N = 7\nglobals().update({'N': library.N})",
    ),
    "a name imported again": ("from math import sin as f" + mine("f(t)"), "from math import cos as f"),
    "an addition for a subtraction in place": (loops("x = 3\nx += t\nreturn x"), loops("x = 3\nx -= t\nreturn x")),
    "an and for an or": (mine("t and 3"), mine("t or 3")),
    "a not": (mine("not t"), mine("t")),
    "the step of a slice": (mine("state[::2]"), mine("state[::3]")),
    "the step of a range": (mine("len(range(0, t, 2))"), mine("len(range(0, t, 3))")),
    "a break for a continue": (
        loops("for i in range(3):\n    if t:\n        break\n    t = i\nreturn t"),
        loops("for i in range(3):\n    if t:\n        continue\n    t = i\nreturn t"),
    ),
    "an if for a while": (loops("while t > 3:\n    t -= 1\nreturn t"), loops("if t > 3:\n    t -= 1\nreturn t")),
    "the branches of a condition": (mine("3 if t else 7"), mine("7 if t else 3")),
    "what is unpacked": (loops("a, b = state\nreturn a"), loops("b, a = state\nreturn a")),
    "the name of a keyword": (mine("min(t, state, key=self.f)"), mine("min(t, state, default=self.f)")),
    "a function within a method": (
        loops("def f(x):\n    return x + 1\nreturn f(t)"),
        loops("def f(x):\n    return x + 2\nreturn f(t)"),
    ),
    "a division": (mine("t / 2"), mine("t // 2")),
    "a power": (mine("t ** 2"), mine("t * 2")),
    "a comprehension's condition": (mine("[i for i in state if i]"), mine("[i for i in state if not i]")),
    "the end of a loop": (
        loops("for i in range(3):\n    t += i\nreturn t"),
        loops("for i in range(3):\n    t += i\n    return t\nreturn 0"),
    ),
    "what is raised": (loops("raise ValueError('a')"), loops("raise KeyError('a')")),
    "another class of the same name": (
        mine("3") + "First = Mine" + mine("7") + "Second = Mine\nMine = First",
        "Mine = Second",
    ),
}

HERE = {  # what means something in this process only: no kernel of it is kept, none is stale
    "a namespace": ("N = types.SimpleNamespace(a=3)" + mine("N.a"), "N.a = 7"),
    "an object": ("class Config: pass\nN = Config()\nN.a = 3" + mine("N.a"), "N.a = 7"),
    "a data class": (
        "@dataclasses.dataclass\nclass Config:\n    a: int\nN = Config(3)" + mine("N.a"),
        "N.a = 7",
    ),
    "an object in a list": ("class Config: pass\nN = [Config()]\nN[0].a = 3" + mine("N[0].a"), "N[0].a = 7"),
    "an object in an object": (
        "class Config: pass\nN = Config()\nN.b = Config()\nN.b.a = 3" + mine("N.b.a"),
        "N.b.a = 7",
    ),
    "another object": ("N = object()" + mine("N"), "M, N = N, object()"),
}
