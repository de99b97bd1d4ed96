# SPDX-License-Identifier: MIT
"""What Home Assistant is told, validated by the schemas of its own MQTT integration: `make test-home-assistant`.

Runs with the Python that has Home Assistant: the packages `homeassistant` and `paho-mqtt`. Reads what was
retained for it, an object of topics and payloads, from its input.
"""

from __future__ import annotations

import json
import logging
import sys

from homeassistant.components.mqtt import binary_sensor, discovery, event, number, select, sensor, switch, text

SCHEMAS = {
    "binary_sensor": binary_sensor,
    "event": event,
    "number": number,
    "select": select,
    "sensor": sensor,
    "switch": switch,
    "text": text,
}


# That templates are looked at without a whole Home Assistant.
logging.disable(logging.WARNING)


def main() -> None:
    entities = 0
    for topic, payload in json.load(sys.stdin).items():
        told = discovery.MQTTDiscoveryPayload(json.loads(payload))
        discovery._replace_all_abbreviations(told)
        discovery.DEVICE_DISCOVERY_SCHEMA(told)
        shared = {name: value for name, value in told.items() if name != "components"}
        for name, config in told["components"].items():
            platform = config["platform"]
            entity = {**{key: value for key, value in config.items() if key != "platform"}, **shared}
            try:
                SCHEMAS[platform].DISCOVERY_SCHEMA(entity)
            except Exception as error:
                sys.exit(f"{topic}: {name}, a {platform}: {error}")
            print(f"{topic}: {name} is a {platform}")
            entities += 1
    if entities == 0:
        sys.exit("there are no entities")
    print(f"Home Assistant takes all {entities} entities")


if __name__ == "__main__":
    main()
