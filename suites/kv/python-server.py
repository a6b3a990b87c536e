"""The key-value server of this suite in Python, from its standard library alone: a server of another kind, started by a
command. One event loop over one dictionary, and as much of HTTP/1.1 as it takes: requests in order, bodies by length.

python-server.py PORT KEYS QUOTE; ends when its stdin closes.
"""

import asyncio
import os
import re
import sys
import threading
from urllib.parse import unquote_to_bytes

LIMIT = 65536
KEY = re.compile(rb"[A-Za-z0-9_.-]{1,200}\Z")
LENGTH = re.compile(rb"\r\ncontent-length: *(\d+)", re.IGNORECASE)
CLOSE = re.compile(rb"\r\nconnection: *close", re.IGNORECASE)
NO_KEY = (404, b"no such key")
STATUS = {200: b"OK", 404: b"Not Found", 413: b"Payload Too Large"}

port, keys, quote = int(sys.argv[1]), int(sys.argv[2]), sys.argv[3]
texts = {}
for key in range(keys):
    name = "test" if keys == 1 else f"test-{key}"
    texts[name.encode()] = (quote if key == 0 else f"{quote} #{key}").encode()


def answer(method, key, text):
    """The status and text of the reply to one request."""
    if method == b"GET":
        found = texts.get(key)
        return NO_KEY if found is None else (200, found)
    if method == b"POST":
        if len(text) > LIMIT:
            return 413, b"a text has at most %d bytes" % LIMIT
        if KEY.match(key) is None:
            return NO_KEY
        texts[key] = text
        return 200, b"stored"
    if method == b"DELETE" and texts.pop(key, None) is not None:
        return 200, b"removed"
    return NO_KEY


class Connection(asyncio.Protocol):
    def connection_made(self, transport):
        self.transport = transport
        self.unread = b""

    def data_received(self, data):
        self.unread += data
        while True:
            end = self.unread.find(b"\r\n\r\n")
            if end < 0:
                return
            head = self.unread[:end]
            length = LENGTH.search(head)
            after = end + 4 + (int(length[1]) if length else 0)
            if len(self.unread) < after:
                return
            text, self.unread = self.unread[end + 4 : after], self.unread[after:]
            method, path, _ = head.split(b"\r\n", 1)[0].split(b" ", 2)
            status, reply = answer(method, unquote_to_bytes(path.split(b"?", 1)[0][1:]), text)
            self.transport.write(
                b"HTTP/1.1 %d %s\r\ncontent-type: text/plain; charset=UTF-8\r\ncontent-length: %d\r\n\r\n"
                % (status, STATUS[status], len(reply))
                + reply
            )
            if CLOSE.search(head):
                self.transport.close()
                return


def end_with_stdin():
    sys.stdin.buffer.read()
    os._exit(0)


async def serve():
    server = await asyncio.get_running_loop().create_server(Connection, "127.0.0.1", port, backlog=4096)
    await server.serve_forever()


threading.Thread(target=end_with_stdin, daemon=True).start()
asyncio.run(serve())
