"""A session of Sparring as a child process, and its control API."""

import json
import os
import shlex
import subprocess
import urllib.request


class Sparring:
    """Plays the partners of a point of sale, which receives events by webhook at `service_url`."""

    def __init__(self, service_url):
        # The command that starts Sparring: SPARRING="node ../../bin/sparring.js" in a clone.
        command = shlex.split(os.environ.get("SPARRING", "npx sparring"))
        command += ["up", "--as", "pos", "--subject", service_url, "--channel", "webhook"]
        # Free ports, twenty times as fast as the wall clock, and nothing on stdout but the line that says where it is.
        command += ["--port", "0", "--speed", "20", "--json", "--quiet"]
        self.process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
        line = self.process.stdout.readline()
        if not line:
            raise RuntimeError(f"{' '.join(command)} ended with {self.process.wait()}")
        self.ready = json.loads(line)

    def call(self, method, path, body=None):
        """The JSON of the answer; raises urllib.error.HTTPError when it is refused."""
        data = None if body is None else json.dumps(body).encode()
        request = urllib.request.Request(self.ready["control"] + path, data, method=method)
        with urllib.request.urlopen(request, timeout=60) as answer:
            text = answer.read()
            return json.loads(text) if text else None

    def stop(self):
        try:
            self.call("POST", "/stop", {})
            self.process.wait(10)
        finally:
            self.process.kill()
            self.process.wait()
            self.process.stdout.close()
