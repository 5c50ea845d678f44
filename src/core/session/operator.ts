/** Operator actions on a session: commands, orders, steps, clock. Each is logged. */
import { compact } from '../base/compact.ts'
import type { WorldRuntime } from '../runtime/world-runtime.ts'
import { type Chance, createChance } from '../engine/chance.ts'
import type { Command } from '../engine/command.ts'
import type { Engine, EngineSnapshot } from '../engine/engine.ts'
import type { Fact } from '../engine/fact.ts'
import { type Refusal, refuse } from '../engine/refusal.ts'
import { agendaRow } from '../views/agenda-rows.ts'
import { resolveCommandOrder } from '../views/order-reference.ts'
import { makeRequestedOrder } from './new-order.ts'
import { problem } from '../base/problem.ts'
import { ok, type Result } from '../protocol/result.ts'
import type { AgendaRow, OperatorAction, SessionApi } from '../session-api/session-api.ts'
import type { FaultLoader } from './configure.ts'
import type { SessionPopulation } from './population.ts'
import type { Instant } from '../engine/instant.ts'

/** Bounded log of operator actions, from which a scenario can be saved; the oldest entries are evicted first. */
const maxActions = 10_000

interface OperatorLog {
  /** Captures the state before an action; returns a function that logs the action once it was done. */
  readonly begin: (engine: Engine, command?: Command) => (what: OperatorAction['what']) => void
  readonly actions: () => readonly OperatorAction[]
  /** Number of actions but settings of the clock, also of those that were evicted. */
  readonly count: () => number
  /** Clears the log: a new world begins. */
  readonly clear: () => void
  /** Rewinds the log to a fact: later actions are removed. */
  readonly rewind: (seq: number, now: Instant) => void
}

/** Agenda rows of the items that a command refers to. */
function itemsOf(command: Command, { world, settings }: Engine): readonly AgendaRow[] {
  return idsOf(command).flatMap((id) => {
    const item = world.agenda.byId.get(id)
    return item ? [agendaRow(item, world, settings)] : []
  })
}

function idsOf(command: Command): readonly number[] {
  if (command.kind === 'agenda.batch') return [...new Set(command.edits.map(({ id }) => id))]
  if (command.kind === 'agenda.arrange') return command.order
  const id = 'id' in command && command.kind.startsWith('agenda.') ? command.id : undefined
  return typeof id === 'number' ? [id] : []
}

const isBatch = ({ kind }: Command): boolean => kind === 'agenda.batch' || kind === 'agenda.arrange'

/** A scenario repeats neither a setting of the clock nor a call in place of the service, which makes its own. */
const isRepeatable = ({ what }: OperatorAction): boolean =>
  what.kind !== 'clock' && what.kind !== 'resend'

/** Shortens an `advance` to the time that has passed by this instant. */
function shortenAdvance(action: OperatorAction, now: Instant): OperatorAction {
  const { at, what } = action
  return what.kind === 'advance' && at + what.ms > now
    ? { ...action, what: { ...what, ms: Math.max(0, now - at) } }
    : action
}

function createOperatorLog(): OperatorLog {
  let actions: OperatorAction[] = []
  /** Of those that were evicted too: counted as they come, since each snapshot names the number. */
  let repeatable = 0
  return {
    begin(engine, command) {
      const items = command ? itemsOf(command, engine) : []
      const several = command !== undefined && isBatch(command)
      const [item] = items
      const itemFields = several ? { items } : item ? { item } : {}
      const before = { at: engine.now(), after: engine.journal.last() }
      return (what) => {
        const action = { ...before, what, ...itemFields }
        actions.push(action)
        if (isRepeatable(action)) repeatable++
        if (actions.length > maxActions) actions = actions.slice(-maxActions / 2)
      }
    },
    actions: () => actions,
    count: () => repeatable,
    clear: () => {
      actions = []
      repeatable = 0
    },
    rewind: (seq, now) => {
      repeatable -= actions.filter(({ after }) => after >= seq).filter(isRepeatable).length
      actions = actions
        .filter(({ after }) => after < seq)
        .map((action) => shortenAdvance(action, now))
    },
  }
}

export interface OperatorOptions {
  readonly runtime: () => WorldRuntime
  readonly population: () => SessionPopulation
  readonly seed: () => number
  readonly faults: FaultLoader
  /** Resolves when the counterparts are started. */
  readonly whenOpen: () => Promise<void> | undefined
}

/**
 * Commands of the session itself. Opening twice would run every loop of every counterpart twice; settings are checked as a
 * whole where they are read.
 */
const reserved: Readonly<Partial<Record<Command['kind'], string>>> = {
  'session.open': 'the session is open already; reset it for a fresh world',
  'session.configure': 'settings are changed in the configuration file of a session with --watch',
}

const reservedBecause = (command: Command): string | undefined =>
  command.kind === 'agenda.plan' ? reservedBecause(command.command) : reserved[command.kind]

/** Its members are bound: those of the session API are passed on alone. */
export class Operator {
  readonly #options: OperatorOptions
  readonly #log = createOperatorLog()
  #orderChance: Chance | undefined

  constructor(options: OperatorOptions) {
    this.#options = options
  }

  readonly submit: SessionApi['submit'] = async (command) => {
    await this.#options.whenOpen()
    if (command.kind === 'fault.add' || command.kind === 'agenda.plan')
      await this.#options.faults.load()
    const edit =
      command.kind === 'agenda.edit'
        ? await import('../runtime/control/command-check.ts')
        : undefined
    const { driver, engine } = this.#options.runtime()
    driver.sync()
    const about = resolveCommandOrder(command, engine.world)
    if (!about.ok) return refuse('CONFLICT', about.error)
    const checked = edit?.checkAgendaEdit(about.value, engine.world) ?? about
    return checked.ok ? this.submitNow(checked.value) : checked
  }

  /** Synchronous `submit`: the counterparts are started, and modules that the command needs are loaded. */
  readonly submitNow = (command: Command): Result<readonly Fact[], Refusal> => {
    const because = reservedBecause(command)
    if (because !== undefined) return refuse('CONFLICT', because)
    const { driver, engine } = this.#options.runtime()
    driver.sync()
    const logAction = this.#log.begin(engine, command)
    const decision = engine.submit(command)
    if (decision.ok) logAction({ kind: 'command', command })
    return decision
  }

  readonly createOrder: SessionApi['createOrder'] = async (options = {}) => {
    await this.#options.whenOpen()
    const residents = await this.#options.population().load()
    const { driver, engine } = this.#options.runtime()
    driver.sync()
    this.#orderChance ??= createChance(this.#options.seed(), 'wishes')
    const made = makeRequestedOrder(options, {
      population: residents,
      chance: this.#orderChance,
      now: engine.now(),
      speaks: engine.settings.conduct.speaks,
    })
    if (!made.ok) return made
    const { order, warnings, outside } = made.value
    const logAction = this.#log.begin(engine)
    const decision = engine.submit({ kind: 'order.create', order, ...compact({ outside }) })
    if (!decision.ok) return decision
    const { id: orderId } = order
    logAction({ kind: 'order', wish: options, orderId })
    return ok({ orderId, ...compact({ warnings }) })
  }

  readonly step: SessionApi['step'] = async () => {
    await this.#options.whenOpen()
    const { driver, engine } = this.#options.runtime()
    const logAction = this.#log.begin(engine)
    const taken = await driver.step()
    if (!taken) return undefined
    logAction({ kind: 'step' })
    return agendaRow(taken.item, engine.world, engine.settings)
  }

  readonly setClock: SessionApi['setClock'] = async (change) => {
    await this.#options.whenOpen()
    const { driver, engine } = this.#options.runtime()
    this.#log.begin(engine)({ kind: 'clock', ...change })
    driver.setClock(change)
  }

  readonly advance: SessionApi['advance'] = async (ms, limits) => {
    // An infinite advance would never resolve.
    if (!Number.isFinite(ms) || ms < 0)
      throw problem(
        `advancing the clock by ${String(ms)}`,
        'that is no length of time',
        'Give milliseconds, 0 or more.',
      )
    await this.#options.whenOpen()
    const { driver, engine } = this.#options.runtime()
    const logAction = this.#log.begin(engine)
    const from = engine.now()
    if (!limits) logAction({ kind: 'advance', ms })
    await driver.advance(ms, limits)
    if (limits) logAction({ kind: 'advance', ms: Math.min(ms, engine.now() - from) })
  }

  /** Logs that a call of the user's service is sent again in its place. */
  logResend(
    engine: Engine,
    what: Omit<Extract<OperatorAction['what'], { kind: 'resend' }>, 'kind'>,
  ): void {
    this.#log.begin(engine)({ kind: 'resend', ...what })
  }

  readonly actions = (): readonly OperatorAction[] => this.#log.actions()
  /** Number of actions since the world began that a scenario can repeat. */
  readonly actionCount = (): number => this.#log.count()

  /** Clears the log: a new world begins. */
  readonly clear = (): void => {
    this.#log.clear()
    this.#orderChance = undefined
  }

  /** Rewinds the log to the fork point. */
  readonly rewind = async ({ seq, now }: EngineSnapshot): Promise<void> => {
    this.#log.rewind(seq, now)
    this.#orderChance = undefined
    const residents = await this.#options.population().load()
    // Replay the random draws, so that generated orders are the same as before the fork.
    for (const { at, what } of this.#log.actions())
      if (what.kind === 'order') {
        this.#orderChance ??= createChance(this.#options.seed(), 'wishes')
        makeRequestedOrder(what.wish, { population: residents, chance: this.#orderChance, now: at })
      }
  }
}
