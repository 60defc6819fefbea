"""Functions that no test called, file by file: python tools/uncovered.py build/coverage/coverage.json, by gcovr."""

import json
import sys


def main():
    with open(sys.argv[1], encoding="utf-8") as f:
        files = json.load(f)["files"]
    called, line_of = {}, {}
    for file in files:
        for function in file.get("functions", ()):
            name = function.get("name") or function["demangled_name"]
            key = file["file"], name.split("(")[0]
            called[key] = called.get(key, 0) + function["execution_count"]
            line_of[key] = function["lineno"]
    missed = {}
    for (path, name), count in called.items():
        if count == 0:
            missed.setdefault(path, []).append((line_of[path, name], name))
    for path in sorted(missed):
        print(path + ":", " ".join(name for _, name in sorted(missed[path])))
    print(f"{sum(map(len, missed.values()))} of {len(called)} functions were not called")


if __name__ == "__main__":
    main()
