"""OpenStack Swift with its S3 API, on free ports of this machine: one device, one replica, all in one directory.

    python3 swift-server.py <directory> <port>

Debian: apt-get install --no-install-recommends python3-swift. Prints `ready`; ends when standard input does.
"""

import os
import signal
import socket
import subprocess
import sys
import time

USER, ACCESS_KEY, SECRET_KEY = "AUTH_test", "test:tester", "testing"

SERVER = """
import sys
from swift.common import utils
utils.SWIFT_CONF_FILE = sys.argv[1] + "/swift.conf"
from swift.common.storage_policy import reload_storage_policies
reload_storage_policies()
from swift.common.wsgi import run_wsgi
sys.exit(run_wsgi(sys.argv[3], sys.argv[2], verbose=True))
"""

COMMON = """[DEFAULT]
bind_ip = 127.0.0.1
bind_port = {port}
swift_dir = {root}
devices = {root}/devices
mount_check = false
workers = 0
user = {user}
log_address = /nowhere
"""

PROXY = """[pipeline:main]
pipeline = catch_errors gatekeeper cache listing_formats bulk s3api tempauth copy slo dlo proxy-server
[app:proxy-server]
use = egg:swift#proxy
account_autocreate = true
allow_account_management = true
[filter:catch_errors]
use = egg:swift#catch_errors
[filter:gatekeeper]
use = egg:swift#gatekeeper
[filter:cache]
use = egg:swift#memcache
memcache_servers = 127.0.0.1:1
[filter:listing_formats]
use = egg:swift#listing_formats
[filter:bulk]
use = egg:swift#bulk
[filter:s3api]
use = egg:swift#s3api
s3_acl = no
location = us-east-1
[filter:tempauth]
use = egg:swift#tempauth
user_test_tester = testing .admin
[filter:copy]
use = egg:swift#copy
[filter:slo]
use = egg:swift#slo
rate_limit_after_segment = 100000
[filter:dlo]
use = egg:swift#dlo
"""


def free_port():
    with socket.socket() as one:
        one.bind(("127.0.0.1", 0))
        return one.getsockname()[1]


def write(name, text):
    with open(name, "w") as file:
        file.write(text)


def main(root, proxy_port):
    os.makedirs(f"{root}/devices/d1", exist_ok=True)
    write(f"{root}/swift.conf", "[swift-hash]\nswift_hash_path_suffix = a\nswift_hash_path_prefix = b\n"
          "[storage-policy:0]\nname = one\ndefault = yes\n")
    from swift.common.ring import RingBuilder
    ports = {"account": free_port(), "container": free_port(), "object": free_port(), "proxy": proxy_port}
    for kind in ("account", "container", "object"):
        builder = RingBuilder(4, 1, 0)
        builder.add_dev({"id": 0, "region": 1, "zone": 1, "weight": 1, "ip": "127.0.0.1", "device": "d1",
                         "port": ports[kind]})
        builder.rebalance()
        builder.get_ring().save(f"{root}/{kind}.ring.gz")
    import getpass
    children = []
    for kind, port in ports.items():
        text = COMMON.format(root=root, port=port, user=getpass.getuser())
        text += PROXY if kind == "proxy" else f"[pipeline:main]\npipeline = {kind}-server\n" \
            f"[app:{kind}-server]\nuse = egg:swift#{kind}\n"
        write(f"{root}/{kind}.conf", text)
        arguments = [sys.executable, "-c", SERVER, root, f"{kind}-server", f"{root}/{kind}.conf"]
        children.append(subprocess.Popen(arguments, stdin=subprocess.DEVNULL,
                                         stdout=open(f"{root}/{kind}.log", "w"), stderr=subprocess.STDOUT))
    try:
        for port in ports.values():
            wait_for(port, children)
        print("ready", flush=True)
        sys.stdin.read()
    finally:
        for child in children:
            child.send_signal(signal.SIGTERM)
        for child in children:
            child.wait()


def wait_for(port, children):
    for _ in range(600):
        if any(child.poll() is not None for child in children):
            raise SystemExit("a server ended; see the logs")
        with socket.socket() as one:
            if one.connect_ex(("127.0.0.1", port)) == 0:
                return
        time.sleep(0.05)
    raise SystemExit("a server did not start")


main(sys.argv[1], int(sys.argv[2]))
