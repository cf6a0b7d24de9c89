"""An agent without any model: it fails, repairs itself, and does better the next time.

Start a service (`make serve`), then run `python examples/repairing_agent.py`. The agent quotes prices with a habit
that is wrong: it forgets what a service fee costs. A verified repair becomes a memory, and the next cycle is given it.
"""

from __future__ import annotations

import uuid

from stratagraph import Client, wire

RUN = uuid.uuid4().hex[:8]
AGENT = f"cashier-{RUN}"
GOAL = "Quote the price of {number} train tickets of 13 euros with the service fee."
RIGHT_WAY = "Multiply the price by the number, then add the service fee of 5 euros once."


def quote(number: int, lessons: list[str]) -> str:
    """Work a price out; by habit without the fee, unless a memory says so."""
    total = f"{number} * 13 = {number * 13}"
    if any("add the service fee of 5 euros" in lesson for lesson in lessons):
        return f"{total}\n{number * 13} + 5 = {number * 13 + 5}\nA: {number * 13 + 5}"
    return f"{total}\nA: {number * 13 + 1}"  # it guesses what the fee is


def check_of(text: str) -> wire.StepCheckRequest:
    """Have it checked that the answer is what was computed."""
    return wire.StepCheckRequest(checker="answer", given={"text": text})


def work(memory: Client, name: str, number: int) -> bool:
    """Go through one cycle; return whether the first answer held."""
    goal = GOAL.format(number=number)
    cycle = f"{name}-{RUN}"
    memory.open_cycle(goal, cycle_id=cycle)
    memory.enter_phase(cycle, "observation", key="observe")
    plan = memory.enter_phase(cycle, "planning", key="plan")
    lessons = [each.text for each in plan.memories]
    print(f"\n{name}: {goal}\n  given {len(lessons)} memories")
    memory.enter_phase(cycle, "action", key="act")
    text = quote(number, lessons)
    step = memory.report_step(
        cycle,
        step_id="first",
        checks=[check_of(text)],
        used=[each.uid for each in plan.memories if RIGHT_WAY in each.text],
    )
    print(f"  {text.splitlines()[-1]} -> {step.outcome}, {step.mode}: {step.findings[0].why}")
    if step.outcome == "success":
        memory.complete_cycle(cycle, "success", answer=text.splitlines()[-1])
        return True
    repair(memory, cycle, number)
    return False


def repair(memory: Client, cycle: str, number: int) -> None:
    """Ask for a patch, try it, have it verified, and note what was learned."""
    patch = memory.generate_patch(cycle)
    print(f"  patch: {patch.state}; {patch.correction[:70] or 'missing: ' + patch.missing[0]}")
    text = quote(number, [RIGHT_WAY])  # the cashier asked somebody
    checks = [check_of(text)]
    if patch.state == "proposed":
        memory.apply_patch(patch.uid)
        print(f"  verified: {memory.verify_patch(patch.uid, checks).state}")
    again = memory.report_step(cycle, step_id="again", checks=checks)
    print(f"  {text.splitlines()[-1]} -> {again.outcome}, {again.mode}")
    memory.enter_phase(cycle, "reflection", key="reflect")
    memory.report_step(cycle, step_id="lesson", text=f"{GOAL.format(number='several')} {RIGHT_WAY}")
    memory.complete_cycle(cycle, "success", answer=text.splitlines()[-1])


def main() -> None:
    """Quote three prices."""
    with Client(agent_id=AGENT) as memory:
        held = [
            work(memory, name, number) for name, number in (("one", 2), ("two", 3), ("three", 7))
        ]
    print(f"\nfirst answers that held: {held}")


if __name__ == "__main__":
    main()
