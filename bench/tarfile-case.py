"""What a Python command line does to a source: tarfile with its default level 9. Arguments: tree, file to write."""
import json
import resource
import sys
import tarfile
import time

tree, output = sys.argv[1:]
begin = time.perf_counter()
with tarfile.open(output, "w:gz", compresslevel=9) as archive:
    archive.add(tree, arcname=".")
seconds = time.perf_counter() - begin
print(json.dumps({"seconds": seconds, "peakKilobytes": resource.getrusage(resource.RUSAGE_SELF).ru_maxrss}))
