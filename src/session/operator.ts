/** What a person does to a session: commands, orders, steps, the clock. Each is written down as it is done. */
import type { Stage } from '../edge/world-runtime.ts'
import { type Chance, createChance } from '../engine/chance.ts'
import type { Command } from '../engine/command.ts'
import type { Beginning } from '../engine/engine.ts'
import type { Fact } from '../engine/fact.ts'
import { type Refusal, refuse } from '../engine/refusal.ts'
import { agendaRow } from '../views/agenda-rows.ts'
import { newOrder } from './new-order.ts'
import { problem } from '../problem.ts'
import { ok, type Result } from '../protocol/result.ts'
import { createDeeds } from './operator-log.ts'
import type { Deed, SessionFace } from '../session-api/session-api.ts'
import type { SessionFaults } from './session-faults.ts'
import type { Town } from './population.ts'

export interface HandsOptions {
  readonly stage: () => Stage
  readonly town: () => Town
  readonly seed: () => number
  readonly faults: SessionFaults
  /** Resolves when the counterparts have begun. */
  readonly opened: () => Promise<void> | undefined
}

export interface Hands extends Pick<
  SessionFace,
  'submit' | 'createOrder' | 'step' | 'setClock' | 'advance'
> {
  /** The same as submit, at once: the counterparts have begun, and what the command needs is loaded. */
  readonly submitNow: (command: Command) => Result<readonly Fact[], Refusal>
  readonly deeds: () => readonly Deed[]
  /** Another world begins, and nothing was done to it yet. */
  readonly wash: () => void
  /** The world goes back: what was done to it since then was not done. */
  readonly back: (begin: Beginning) => Promise<void>
}

/** Every loop of every counterpart would run twice, and orders would come twice as often. */
const opensAgain = (command: Command): boolean =>
  command.kind === 'session.open' || (command.kind === 'agenda.plan' && opensAgain(command.command))

export function createHands({ stage, town, seed, faults, opened }: HandsOptions): Hands {
  const deeds = createDeeds()
  let wishes: Chance | undefined

  function submitNow(command: Command): Result<readonly Fact[], Refusal> {
    if (opensAgain(command))
      return refuse('CONFLICT', 'the session is open already; reset it for a fresh world')
    const { driver, engine } = stage()
    driver.sync()
    const done = deeds.begin(engine, command)
    const decision = engine.submit(command)
    if (decision.ok) done({ kind: 'command', command })
    return decision
  }

  return {
    async submit(command) {
      await opened()
      if (command.kind === 'fault.add' || command.kind === 'agenda.plan') await faults.load()
      const edit =
        command.kind === 'agenda.edit'
          ? await import('../edge/control/command-check.ts')
          : undefined
      stage().driver.sync()
      const lawful = edit?.checkEdit(command, stage().engine.world) ?? ok(command)
      return lawful.ok ? submitNow(lawful.value) : lawful
    },
    submitNow,
    async createOrder(wish = {}) {
      await opened()
      const people = await town().everybody()
      const { driver, engine } = stage()
      driver.sync()
      wishes ??= createChance(seed(), 'wishes')
      const order = newOrder(wish, people, wishes, engine.now())
      if (!order.ok) return order
      const done = deeds.begin(engine)
      const decision = engine.submit({ kind: 'order.create', order: order.value })
      if (!decision.ok) return decision
      const { id: orderId } = order.value
      done({ kind: 'order', wish, orderId })
      return ok({ orderId })
    },
    async step() {
      await opened()
      const { driver, engine } = stage()
      const done = deeds.begin(engine)
      const taken = await driver.step()
      if (taken) done({ kind: 'step' })
      return taken && agendaRow(taken.item, engine.world)
    },
    async setClock(change) {
      await opened()
      const { driver, engine } = stage()
      deeds.begin(engine)({ kind: 'clock', ...change })
      driver.setClock(change)
    },
    async advance(ms) {
      // Without an end nothing would ever say that so much has passed.
      if (!Number.isFinite(ms) || ms < 0)
        throw problem(
          `advancing the clock by ${String(ms)}`,
          'that is no length of time',
          'Give milliseconds, 0 or more.',
        )
      await opened()
      const { driver, engine } = stage()
      deeds.begin(engine)({ kind: 'advance', ms })
      await driver.advance(ms)
    },
    deeds: deeds.all,
    wash() {
      deeds.clear()
      wishes = undefined
    },
    async back({ seq, now }) {
      deeds.back(seq, now)
      wishes = undefined
      const people = await town().everybody()
      // What is made up from here on is what would have been made up then.
      for (const { at, what } of deeds.all())
        if (what.kind === 'order') {
          wishes ??= createChance(seed(), 'wishes')
          newOrder(what.wish, people, wishes, at)
        }
    },
  }
}
