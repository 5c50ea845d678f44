/** Operator actions on a session: commands, orders, steps, clock. Each is logged. */
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
  /** Resolves when the counterparts are started. */
  readonly opened: () => Promise<void> | undefined
}

export interface Hands extends Pick<
  SessionFace,
  'submit' | 'createOrder' | 'step' | 'setClock' | 'advance'
> {
  /** Synchronous `submit`: the counterparts are started, and modules that the command needs are loaded. */
  readonly submitNow: (command: Command) => Result<readonly Fact[], Refusal>
  readonly deeds: () => readonly Deed[]
  /** Clears the log: a new world begins. */
  readonly wash: () => void
  /** Rewinds the log to the fork point. */
  readonly back: (begin: Beginning) => Promise<void>
}

/** Opening twice would run every loop of every counterpart twice, and orders would come twice as often. */
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
      // An infinite advance would never resolve.
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
      // Replay the random draws, so that generated orders are the same as before the fork.
      for (const { at, what } of deeds.all())
        if (what.kind === 'order') {
          wishes ??= createChance(seed(), 'wishes')
          newOrder(what.wish, people, wishes, at)
        }
    },
  }
}
