"""Checks the stubs of the tombac that is installed: by mypy for themselves and with a program that uses them
(tests/python/typed_program.py), and by stubtest against what is there at run time.

Exits with 1 and says what is wrong. Takes half a minute.
"""

import os
import pathlib
import site
import subprocess
import sys
import tempfile

import tombac
import tombacx

ROOT = pathlib.Path(__file__).resolve().parent.parent
SITE = pathlib.Path(tombac.__file__).parent.parent
# What stubtest is not to ask about: private names, metaclasses of ctypes, and objects of kernels in Python, which can
# be called but are no functions.
ALLOWED = """\
tombac\\.libtombac
tombac\\.__main__
tombacx?\\.(\\w+\\.)*_[a-z]\\w*(\\..*)?
tombacx\\.jit\\.(\\w+\\.)*\\w+
tombac\\.cuda\\.function\\.(CIntptr|CPointer|CUIntMax)
.*\\.__getattr__
.*\\.__dir__
"""


def private_modules():
    """Those without stubs, of which nobody but the package knows."""
    for package in (tombac, tombacx):
        for path in sorted(pathlib.Path(package.__file__).parent.rglob("*.py")):
            module = path.relative_to(SITE).with_suffix("")
            if module.name != "__init__" and not path.with_suffix(".pyi").exists():
                yield ".".join(module.parts)


def run(*command, env):
    done = subprocess.run([sys.executable, "-m", *command], env=env, cwd=tempfile.gettempdir())
    return done.returncode


def main():
    with tempfile.TemporaryDirectory() as folder:
        folder = pathlib.Path(folder)
        ignored = ",".join(["tombac._core", *private_modules()])
        config = folder / "mypy.ini"
        config.write_text(f"[mypy]\nstrict = True\ncache_dir = {folder / 'cache'}\n[mypy-{ignored}]\n"
                          "ignore_errors = True\nfollow_imports = skip\nignore_missing_imports = True\n")
        allowed = folder / "allowed.txt"
        allowed.write_text(ALLOWED)
        # In site-packages mypy looks by itself, and does not want to be told to.
        places = [ROOT / "tests/python"] + ([] if str(SITE) in site.getsitepackages() else [SITE])
        env = os.environ | {"PYTHONPATH": os.pathsep.join(p for p in sys.path if p),
                            "MYPYPATH": os.pathsep.join(map(str, places))}
        wrong = run("mypy", "--config-file", str(config), "-p", "tombac", "-p", "tombacx", "-m", "typed_program",
                    env=env)
        wrong |= run("mypy.stubtest", "--mypy-config-file", str(config), "--allowlist", str(allowed),
                     "--ignore-unused-allowlist", "--ignore-disjoint-bases", "--concise", "tombac", "tombacx", env=env)
    sys.exit(1 if wrong else 0)


if __name__ == "__main__":
    main()
