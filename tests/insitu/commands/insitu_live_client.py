# SPDX-License-Identifier: MIT
"""A ParaView that waits for a running flow, as the menu Catalyst, Connect of its window does.

    pvpython insitu_live_client.py SERVER_PORT LIVE_PORT STEERING.xml [PROPERTY=VALUE...]

Needs a pvserver. Prints what it sees of the source `layer`, then sets properties of TesseraSteering
if there are any, and stays until its standard input ends.
"""

import json
import select
import sys
import time

from paraview import servermanager

live = None  # connect() imports it


def wait_for(what, seconds=60):
    """Handles what the server has to say until what() has a value."""
    end = time.time() + seconds
    while time.time() < end:
        live.ProcessServerNotifications()
        value = what()
        if value:
            return value
        time.sleep(0.02)
    sys.exit("insitu_live_client: nothing came")


def steer(simulation, settings):
    """Sets properties of the running flow; they go out with the next step that brings data."""
    steering = simulation.GetProxy("sources", "SteeringParameters")
    for setting in settings:
        name, value = setting.split("=")
        steering.GetProperty(name).SetElement(0, json.loads(value))
    steering.UpdateVTKObjects()
    while not select.select([0], [], [], 0.02)[0]:  # pvpython has another sys.stdin
        live.ProcessServerNotifications()


def connect(server_port):
    """To a pvserver. What `live` imports makes a function of each of a thousand proxies, for a second: once for a connection
    that is there, and once more for each that simple.Connect() makes."""
    global live  # pylint: disable=global-statement
    connection = servermanager.Connect("localhost", int(server_port))
    servermanager.ParaViewPipelineController().InitializeSession(connection.Session)
    from paraview import live as imported  # pylint: disable=import-outside-toplevel
    live = imported
    return connection


def main(server_port, live_port, steering_xml, *settings):
    display = connect(server_port)
    for remote in True, False:
        servermanager.LoadPlugin(steering_xml, remote)
    link = live.ConnectToCatalyst("localhost", int(live_port))
    session = next(c for c in servermanager.Connections if c is not display).Session
    simulation = session.GetSessionProxyManager()
    print("waits", flush=True)
    wait_for(lambda: simulation.GetProxy("sources", "layer"))
    layer = live.ExtractCatalystData(link, "layer")

    def cells():
        layer.MarkModified(layer.SMProxy)
        layer.UpdatePipeline()
        return layer.GetDataInformation().GetNumberOfCells()

    print("sees", wait_for(cells), "cells", flush=True)
    if settings:
        steer(simulation, settings)


if __name__ == "__main__":
    main(*sys.argv[1:])
