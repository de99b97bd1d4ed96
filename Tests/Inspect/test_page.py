# SPDX-License-Identifier: MIT
"""The page in a browser, which runs as a program."""

from __future__ import annotations

import os
import subprocess
import sys
import threading
from pathlib import Path
from typing import Any, Callable, Iterator

import pytest
from selenium import webdriver
from selenium.webdriver.common.by import By
from selenium.webdriver.support.ui import WebDriverWait

from swiftobserver.inspect import Server

PATIENCE = 120


@pytest.fixture(scope="module")
def browser() -> Iterator[Any]:
    options = webdriver.ChromeOptions()
    for each in (
        "--headless=new",
        "--no-sandbox",
        "--disable-gpu",
        "--disable-dev-shm-usage",
        "--window-size=1280,800",
    ):
        options.add_argument(each)
    options.set_capability("goog:loggingPrefs", {"browser": "ALL"})
    driver = webdriver.Chrome(options=options, service=webdriver.ChromeService("/usr/bin/chromedriver"))
    yield driver
    driver.quit()


@pytest.fixture(params=["c", "python"])
def page(request: Any, browser: Any, start: Callable[..., Any], tmp_path: Path) -> Iterator[Any]:
    running = start(request.param)
    server = Server(f"unix:{tmp_path}/socket")
    browser.get(server.page)
    yield browser, running, server
    server.close()


def until(browser: Any, condition: Callable[[], Any]) -> Any:
    return WebDriverWait(browser, PATIENCE, poll_frequency=0.05).until(lambda _: condition())


FIND = "const box = [...document.querySelectorAll('.box')].find(each => each.textContent.includes(arguments[0]));"


def box(browser: Any, text: str) -> Any:
    """What stands in the first box with a text. One step: a page that is drawn anew has other boxes."""
    return browser.execute_script(FIND + "return box ? box.textContent : null", text)


def text_of(browser: Any, element: str) -> str:
    return str(
        browser.execute_script(f"const it = document.getElementById('{element}'); return it ? it.textContent : ''")
    )


def choose(browser: Any, text: str) -> None:
    click = "if (box) box.dispatchEvent(new MouseEvent('click', {bubbles: true})); return Boolean(box)"
    until(browser, lambda: browser.execute_script(FIND + click, text))


def test_the_page_shows_the_program_and_a_click_sets_a_variable(page: Any) -> None:
    browser, running, _ = page
    until(browser, lambda: box(browser, "width = 1"))
    assert box(browser, "derived") and box(browser, "resize")
    choose(browser, "width =")
    until(browser, lambda: browser.find_elements(By.ID, "new"))
    browser.find_element(By.ID, "new").send_keys("77")
    browser.find_element(By.ID, "send").click()
    running.read("width 77")
    until(browser, lambda: box(browser, "width = 77"))


def test_messages_light_up_and_the_last_changes_stand_with_their_causes(page: Any) -> None:
    browser, running, _ = page
    choose(browser, "width =")
    until(browser, lambda: text_of(browser, "title").startswith("variable width"))
    until(browser, lambda: running.tell("click") or browser.find_elements(By.CSS_SELECTOR, ".box.lit"))
    until(browser, lambda: "in handler resize" in text_of(browser, "changes"))
    assert 'because messenger "clicks" sent 10' in text_of(browser, "changes")


def test_search_fold_and_freeze(page: Any) -> None:
    browser, running, _ = page
    until(browser, lambda: box(browser, "clicks"))
    browser.find_element(By.ID, "search").send_keys("width")
    until(browser, lambda: not box(browser, "title"))
    assert box(browser, "width =")
    choose(browser, "width =")
    until(browser, lambda: browser.find_elements(By.ID, "fold"))
    browser.find_element(By.ID, "fold").click()
    until(browser, lambda: not box(browser, "draw"))
    browser.find_element(By.ID, "unfold").click()
    until(browser, lambda: box(browser, "draw"))
    browser.find_element(By.ID, "freeze").click()
    shown = box(browser, "width =")
    for _ in range(3):
        running.tell("click")
    assert box(browser, "width =") == shown
    browser.find_element(By.ID, "freeze").click()
    until(browser, lambda: running.tell("click") or box(browser, "width =") != shown)


def test_markup_is_text(page: Any) -> None:
    browser, _, _ = page
    until(browser, lambda: box(browser, "width ="))
    assert browser.execute_script("return document.querySelectorAll('img, b').length") == 0
    assert browser.title != "taken"
    assert [
        entry
        for entry in browser.get_log("browser")
        if entry["level"] == "SEVERE" and "favicon" not in entry["message"]
    ] == []


def test_the_garden_of_the_demo_is_shown(browser: Any, tmp_path: Path) -> None:
    garden = Path(__file__).parents[2] / "bindings/demo/inspected.py"
    address = f"unix:{tmp_path}/garden"
    environment = {**os.environ, "SWIFTOBSERVER_INSPECT": address, "SWIFTOBSERVER_INSPECT_ALLOW": "values,set"}
    process = subprocess.Popen([sys.executable, str(garden)], env=environment)
    try:
        while not (tmp_path / "garden").exists():
            assert process.poll() is None
        server = Server(address)
        browser.get(server.page)
        choose(browser, "moisture =")
        until(
            browser,
            lambda: "in handler dry_or_water because" in text_of(browser, "changes").replace("because", " because"),
        )
        until(browser, lambda: box(browser, "needs water") and box(browser, "thirst"))
        if pictures := os.environ.get("PICTURES"):
            Path(pictures).mkdir(parents=True, exist_ok=True)
            browser.save_screenshot(f"{pictures}/garden.png")
        server.close()
    finally:
        process.kill()
        process.wait()


def test_a_thousand_boxes_and_ten_thousand_messages_a_second_keep_it_alive(
    browser: Any, start: Callable[..., Any], tmp_path: Path
) -> None:
    running = start()
    running.tell("many 500")
    server = Server(f"unix:{tmp_path}/socket")
    browser.get(server.page)
    until(browser, lambda: int(browser.execute_script("return document.querySelectorAll('.box').length")) > 1000)
    sending = threading.Thread(target=running.tell, args=("send 50000",))
    sending.start()
    until(browser, lambda: "changes" in text_of(browser, "state") and not text_of(browser, "state").startswith("0/s"))
    choose(browser, "width =")
    until(browser, lambda: text_of(browser, "title").startswith("variable width"))
    sending.join()
    running.say("abort")
    until(browser, lambda: "ended" in text_of(browser, "state"))
    server.close()


def test_a_click_stops_the_program_where_something_changes_and_lets_it_go_on(
    browser: Any, start: Callable[..., Any], tmp_path: Path
) -> None:
    running = start("c", allowed="values,set,stop")
    server = Server(f"unix:{tmp_path}/socket")
    browser.get(server.page)
    choose(browser, "width =")
    until(browser, lambda: browser.find_elements(By.ID, "stop"))
    browser.find_element(By.ID, "stop").click()
    # It is a request, and arrives some time.
    stopped = "return !document.getElementById('continue').hidden"
    thread = threading.Thread(target=running.tell, args=("click",))
    until(browser, lambda: text_of(browser, "problem") == "" and server.answer("graph", {}))
    thread.start()
    until(browser, lambda: browser.execute_script(stopped) or (not thread.is_alive() and running.tell("click")))
    assert "stopped" in text_of(browser, "state")
    browser.find_element(By.ID, "continue").click()
    thread.join()
    until(browser, lambda: not browser.execute_script(stopped))
    server.close()


def test_a_device_opens(browser: Any, start: Callable[..., Any], tmp_path: Path) -> None:
    running = start("python")
    running.tell("relay")
    server = Server(f"unix:{tmp_path}/socket")
    browser.get(server.page)
    choose(browser, "deviceshed")
    until(browser, lambda: "size/width" in text_of(browser, "properties"))
    assert text_of(browser, "title") == "device shed"
    browser.find_element(By.ID, "open").click()
    until(browser, lambda: box(browser, "device shedsize/width"))
    browser.find_element(By.ID, "unfold").click()
    until(browser, lambda: not box(browser, "device shedsize/width"))
    choose(browser, "draw")
    until(browser, lambda: f"program.py:{line_of('def draw(')}" in text_of(browser, "place"))
    server.close()


def line_of(text: str) -> int:
    lines = (Path(__file__).with_name("program.py")).read_text().splitlines()
    return next(number for number, line in enumerate(lines, 1) if line.startswith(text))
