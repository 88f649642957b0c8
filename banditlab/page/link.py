"""From a pair's types to a WebAssembly module; only in a process that `retarget_numba` has taken over."""

import functools
import re
from pathlib import Path

from llvmlite import binding as llvm
from numba import njit, types
from numba.core.compiler_lock import global_compiler_lock

from ..engine import methods, numba_options
from . import mathematics, trigonometry
from .entry import make_entry
from .object_file import export_functions

HERE = Path(__file__).parent
FUNCTIONS = mathematics.FUNCTIONS | trigonometry.FUNCTIONS
EXPORTS = ("begin", "play")
CALL = re.compile(rf"@(?:llvm\.)?({'|'.join(FUNCTIONS)})(?:\.f64)?(?=\()")
DECLARED = re.compile(rf"^declare [^\n]*{CALL.pattern}[^\n]*$", re.M)
MESSAGES = re.compile(r'(@\S*pickledata\S* = .*constant \[\d+ x i8\]) c".*?"')  # errors name files of this machine
PLAY = """
declare i32 @{name}(ptr, ptr, i64)

define i32 @play(i32 %at) {{
  %result = alloca i64
  %error = alloca ptr
  %words = zext i32 %at to i64
  %status = call i32 @{name}(ptr %result, ptr %error, i64 %words)
  ret i32 %status
}}
"""
FUNCTION = """
define double @"our {function}"({given}) {{
  %result = alloca double
  %error = alloca ptr
  %status = call i32 @{name}(ptr %result, ptr %error, {passed})
  %value = load double, ptr %result
  ret double %value
}}
"""


def library_of(function, signature, **options):
    """numba's LLVM module for a function as text, and the name that the function has there."""
    options = {"nogil": True, "no_cpython_wrapper": True, "no_cfunc_wrapper": True, **options}
    dispatcher = njit(**options)(getattr(function, "py_func", function))
    with global_compiler_lock:
        dispatcher.compile(signature)
        made = dispatcher.overloads[signature]
        return str(made.library._final_module), f'"{made.fndesc.llvm_func_name}"'


def compile_module(environment, policy, shown, checked, machine):
    """Return the module that plays pairs of these types.

    Parameters
    ----------
    environment, policy : numba types
    shown : () or (1,)
        The loop's marker: whether the environment shows a context.
    checked : bool
        Whether an index out of range ends the run.
    machine : llvmlite TargetMachine
        Of `retarget_numba`.

    Raises
    ------
    TypeError, ValueError
        If a field cannot be laid down in a page, or the code asks for what a page does not have.
    """
    methods.checked = checked
    options = {key: value for key, value in numba_options.ask_loop(checked).items() if key != "nogil"}
    text, name = library_of(make_entry(environment, policy, shown), (types.int64,), **options)
    made = parsed(text, machine)
    link(made, (HERE / "runtime.ll").read_text(), machine)
    link(made, PLAY.format(name=name), machine)
    for function in sorted(set(re.findall(r'@"our (\w+)"', str(made)))):
        link(made, define_function(function), machine)
    for thing in (*made.functions, *made.global_variables):
        if not thing.is_declaration and thing.name not in EXPORTS:
            thing.linkage = "internal"
    for _ in range(2):  # what is inlined at last lets more go
        builder = llvm.create_pass_builder(machine, llvm.create_pipeline_tuning_options(speed_level=3))
        builder.getModulePassManager().run(made, builder)
    link(made, (HERE / "products.ll").read_text(), machine)
    made.verify()
    return export_functions(machine.emit_object(made), EXPORTS)


@functools.cache  # a process builds many modules, and most of them ask for the same
def define_function(function):
    """The text that defines one of our functions of mathematics, under a name that LLVM does not know."""
    kinds = (types.float64,) * count_arguments(function)
    text, name = library_of(FUNCTIONS[function], kinds, error_model="numpy")
    given, passed = ", ".join(["double"] * len(kinds)), ", ".join(f"double %{k}" for k in range(len(kinds)))
    return text + FUNCTION.format(name=name, function=function, given=given, passed=passed)


def count_arguments(function):
    """Of one of our functions of mathematics."""
    return FUNCTIONS[function].py_func.__code__.co_argcount


def parsed(text, machine):
    """A module of LLVM for a page: our mathematics in the place of the C library's, no messages."""
    text = MESSAGES.sub(r"\1 zeroinitializer", text.replace(" common ", " internal "))
    text = CALL.sub(r'@"our \1"', DECLARED.sub("", text))
    defined = set(re.findall(r'define [^\n]*@"our (\w+)"', text))
    for function in sorted({*re.findall(r'@"our (\w+)"', text)} - defined):
        text += f'\ndeclare double @"our {function}"({", ".join(["double"] * count_arguments(function))})\n'
    made = llvm.parse_assembly(text)
    made.triple, made.data_layout = machine.triple, str(machine.target_data)
    return made


def link(made, text, machine):
    """Link a text of LLVM into a module."""
    made.link_in(parsed(text, machine))
