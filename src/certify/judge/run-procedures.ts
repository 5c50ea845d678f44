/** Carries procedures out against a service, one after the other, and collects the traffic as a trace. */
import { type Chance, createChance } from '../../core/engine/chance.ts'
import { createScenarioClock, type ScenarioClock } from '../../core/scenario/scenario-clock.ts'
import type { SettingChange } from '../../core/engine/session/setting-change.ts'
import type { DialectChoice } from '../../core/protocol/dialects/catalogue.ts'
import type { ProtocolGeneration } from '../../core/protocol/dialects/settings.ts'
import type { Capability } from '../../core/protocol/operation.ts'
import type { Role } from '../../core/protocol/role.ts'
import { isUnknownRecord } from '../../core/protocol/unknown-record.ts'
import type { Session } from '../../core/session-api/session.ts'
import type { CallService, ServiceCall } from '../../core/session-api/service-call.ts'
import { recordedVerdicts } from '../../core/rules/invariants/recorded-verdicts.ts'
import type { Exchange } from '../../core/traffic/exchange.ts'
import { compact } from '../../core/base/compact.ts'
import { isAcceptedCall } from '../../core/rules/checks/assertion.ts'
import { certainRules } from './broken-rules.ts'
import type { CertificationData } from './certification-data.ts'
import { documentForm } from '../../core/rules/checks/document-form.ts'
import {
  type BroughtAbout,
  endedEarly,
  ProcedureSkipped,
  type Procedure,
  type ProcedureContext,
  type ServiceAction,
  type WaitLimit,
} from './procedure.ts'
import {
  createTrace,
  exchangesUntil,
  type Observed,
  type TraceData,
  type TraceNote,
} from '../../core/rules/checks/trace.ts'

/** Of shorter waits there may be many. */
const longMs = 10_000
const enoughProcedures = 2

/** The same for every order and account, in whatever form its id is: "createDelivery of order …". */
const withoutIds = (what: string): string => what.replaceAll(/\b(order|account) [^\s,]+/g, '$1 …')

/** Waits for what a service does not do: after two procedures that have waited for it in vain, no other one does. */
export class VainWaits {
  /** The procedures by what they have waited for. */
  readonly #procedures = new Map<string, Set<string>>()

  isVain(what: string): boolean {
    return (this.#procedures.get(withoutIds(what))?.size ?? 0) >= enoughProcedures
  }

  ended(procedure: string, what: string, isFound: boolean, tookMs: number): void {
    const key = withoutIds(what)
    if (isFound) this.#procedures.delete(key)
    else if (tookMs >= longMs)
      this.#procedures.set(key, (this.#procedures.get(key) ?? new Set()).add(procedure))
  }
}

/** The session in which we play the counterparts of the service. */
export interface CertifiedSession extends Session {
  readonly callService: CallService
  /** The generation of the protocol that our counterparts speak. */
  readonly speaks: ProtocolGeneration
  readonly dialect: DialectChoice | undefined
  /** Changes settings, and returns what they were; the session has to be a live one. */
  readonly changeSettings: (changes: readonly SettingChange[]) => Promise<readonly SettingChange[]>
}

/** How the service is had to do something; the reason where it was not. */
export type AskService = (action: ServiceAction) => Promise<{ readonly why?: string }>

export interface ProcedureRunOptions {
  readonly session: CertifiedSession
  readonly role: Role
  readonly capabilities: readonly Capability[]
  readonly procedures: readonly Procedure[]
  readonly data: CertificationData
  readonly seed: number
  readonly ask: AskService
  /** Waits on the machine's clock, in ms, or until aborted. */
  readonly sleep: (ms: number, signal: AbortSignal) => Promise<void>
  /** Names the clauses that a procedure is for. */
  readonly clausesOf?: (procedure: string) => readonly string[]
  /** Called as each procedure begins and ends, and where it waits for long. */
  readonly onProgress?: (progress: ProcedureProgress) => void
  /** Aborted to end after the procedure under way. */
  readonly signal: AbortSignal
  /** Why the service is gone for good; undefined while it is there. Asked after each procedure. */
  readonly findEnd?: () => Promise<string | undefined>
}

export interface ProcedureProgress {
  readonly procedure: string
  readonly number: number
  readonly of: number
  readonly state: 'begins' | 'waits' | 'done' | 'skipped'
  /** Why it is skipped, or what it waits for. */
  readonly why?: string
  /** How long it took on the session's clock, in ms; absent when it begins. */
  readonly tookMs?: number
}

export interface ProcedureRun {
  readonly trace: TraceData
  /** What stays at the service. */
  readonly leftovers: readonly string[]
  /** In which procedure the service went away, and how. */
  readonly goneIn?: string | undefined
}

const defaultWaitMs = 10_000
/** What takes longer is reported as a wait, in ms. */
const longWaitMs = 3000
/** Clauses of a wait that are named; most waits are for few. */
const maxWaitClauses = 4
/** How long our counterparts may take to read the manifest of the service. */
const maxManifestMs = 5000
/** How long a call may take on the session's clock; its own time-out is shorter. */
const maxCallMs = 300_000

const isOfService = ({ from, to }: Exchange): boolean =>
  from.party === 'subject' || to.party === 'subject'

const skip = (why: string): never => {
  throw new ProcedureSkipped(why)
}

const isObserved = (result: unknown): result is Observed =>
  isUnknownRecord(result) && 'exchange' in result

/** A call that was not answered with success has done nothing. */
const isRefusal = (result: unknown): boolean => isObserved(result) && !isAcceptedCall(result)

class ProcedureRunner {
  readonly #options: ProcedureRunOptions
  readonly #role: ProcedureRunOptions['role']
  readonly #session: ProcedureRunOptions['session']
  readonly #clock: ScenarioClock
  readonly #exchanges: Exchange[] = []
  readonly #steps: Record<number, string> = {}
  readonly #skipped: Record<string, string> = {}
  #notes: TraceNote[] = []
  readonly #leftovers: string[] = []
  readonly #chance: Chance
  readonly #vainWaits = new VainWaits()
  /** The procedure under way, and the waits that were reported: each once. */
  #progress: Pick<ProcedureProgress, 'procedure' | 'number' | 'of'> | undefined
  readonly #reported = new Set<string>()
  /** The procedures so far, and the instant until which one that is over still watches. */
  readonly #begun: { readonly name: string; readonly at: number; watchedUntil: number }[] = []
  /** What is known of a service that is gone. */
  #gone: { readonly why: string; readonly where: string; readonly until: number } | undefined

  constructor(options: ProcedureRunOptions) {
    this.#options = options
    this.#role = options.role
    this.#session = options.session
    // A service in this process may wait on the session's clock: it learns at once that there is one.
    options.session.clock.now()
    this.#clock = createScenarioClock({
      session: options.session,
      sleep: options.sleep,
      nextScheduled: () => undefined,
      enough: options.signal,
    })
    this.#chance = createChance(options.seed, 'certification')
  }

  async run(): Promise<ProcedureRun> {
    const stop = this.#session.onExchange((exchange) => {
      if (isOfService(exchange)) this.#exchanges.push(exchange)
    })
    const procedures = this.#options.procedures.filter(({ roles }) => roles.includes(this.#role))
    try {
      await this.#untilManifestIsRead()
      for (const [index, procedure] of procedures.entries()) {
        const { name } = procedure
        const progress = { procedure: name, number: index + 1, of: procedures.length }
        this.#progress = progress
        this.#options.onProgress?.({ ...progress, state: 'begins' })
        const began = this.#session.clock.now()
        this.#begun.push({ name, at: began, watchedUntil: 0 })
        const skipped = this.#options.signal.aborted
          ? endedEarly.byPerson
          : await this.#perform(procedure)
        const why = (await this.#whyGone(name, began)) ?? skipped
        const ended = { ...progress, tookMs: this.#session.clock.now() - began }
        if (why === undefined) this.#options.onProgress?.({ ...ended, state: 'done' })
        else {
          this.#skipped[name] = why
          this.#options.onProgress?.({ ...ended, state: 'skipped', why })
        }
      }
      const now = this.#session.clock.now()
      const last = this.#begun.toSorted((a, b) => b.watchedUntil - a.watchedUntil)[0]
      if (last && last.watchedUntil > now && !this.#options.signal.aborted) {
        await this.#clock.advance(last.watchedUntil - now)
        await this.#whyGone(last.name, now)
      }
    } finally {
      stop()
    }
    const { clock } = (await this.#session.look({})).info
    const verdicts = recordedVerdicts(this.#session.verdicts())
    const until = this.#gone?.until
    const all = this.#traceData()
    const trace: TraceData = {
      ...all,
      exchanges: exchangesUntil(all.exchanges, until),
      rules: until === undefined ? certainRules(verdicts, clock.mode) : [],
      ...compact({ until }),
    }
    const goneIn = this.#gone && `${this.#gone.where}: ${this.#gone.why}`
    return { trace, leftovers: this.#leftovers, goneIn }
  }

  /**
   * Why a procedure does not count whose service is gone. Nor does any that still watched at `from`, when the service was
   * there last: what it would have done is unknown.
   */
  async #whyGone(where: string, from: number): Promise<string | undefined> {
    const why = this.#gone ? undefined : await this.#options.findEnd?.()
    if (why !== undefined) {
      let until = from
      for (const { at, watchedUntil } of this.#begun.toReversed())
        if (watchedUntil > until) until = Math.min(until, at)
      this.#gone = { why, where, until }
      for (const { name, at } of this.#begun)
        if (at >= until) {
          this.#skipped[name] = endedEarly.byService
          this.#notes = this.#notes.filter(({ procedure }) => procedure !== name)
        }
    }
    return this.#gone && endedEarly.byService
  }

  /** The number of the exchange that began last, which may have ended before others; 0 when there was none. */
  readonly #lastSeq = (): number =>
    this.#exchanges.reduce((last, { seq }) => Math.max(last, seq), 0)

  /** A call with its body as the dialect has it. */
  #inDialect(call: ServiceCall): ServiceCall {
    const form = documentForm(this.#session.dialect)
    if (!form || call.operation === undefined || call.body === undefined) return call
    return { ...call, body: form.sent(call.operation, call.body) }
  }

  #traceData(from = 0, to?: number): TraceData {
    return {
      role: this.#role,
      speaks: this.#session.speaks,
      dialect: this.#session.dialect,
      capabilities: this.#options.capabilities,
      exchanges: this.#exchanges.slice(from, to).toSorted((a, b) => a.seq - b.seq),
      steps: this.#steps,
      notes: this.#notes,
      skipped: this.#skipped,
    }
  }

  /** The service may need time to answer. */
  async #whileTimePasses<Value>(work: Promise<Value>): Promise<Value> {
    let isOver = false
    const over = (): void => void (isOver = true)
    work.then(over, over)
    await this.#session.advance(0)
    await this.#clock.waitUntil(() => isOver, maxCallMs)
    return work
  }

  /** Until then, calls could go to a base other than the one that it declares. */
  async #untilManifestIsRead(): Promise<void> {
    if (this.#session.speaks === 'v1') return
    const isRead = (): boolean =>
      this.#session
        .facts()
        .some(({ fact }) => fact.kind === 'partner.accepted' && fact.partner === this.#role)
    await this.#clock.waitUntil(isRead, maxManifestMs)
    await this.#session.advance(0)
  }

  #waits(
    { name, about }: Procedure,
    since: number,
    { what = about, within = defaultWaitMs }: WaitLimit,
  ): void {
    const key = `${name} ${since} ${what}`
    if (this.#session.clock.now() - since < longWaitMs || this.#reported.has(key)) return
    this.#reported.add(key)
    const clauses = this.#options.clausesOf?.(name) ?? []
    const more = clauses.length - maxWaitClauses
    const named = [...clauses.slice(0, maxWaitClauses), ...(more > 0 ? [`${more} more`] : [])]
    const shown = named.length === 0 ? '' : ` (${named.join(', ')})`
    const why = `for ${what}, up to ${Math.ceil(within / 1000)} s${shown}`
    if (this.#progress) this.#options.onProgress?.({ ...this.#progress, state: 'waits', why })
  }

  #contextOf(procedure: Procedure): ProcedureContext & { readonly end: () => Promise<void> } {
    const first = this.#exchanges.length
    const faults = new Set<number>()
    const endFaults = (ids: Iterable<number>): void => {
      const over = new Set(
        this.#session.faults.list().flatMap(({ id, over: end }) => (end ? [id] : [])),
      )
      for (const id of ids) if (faults.delete(id) && !over.has(id)) this.#session.faults.remove(id)
    }
    const settingsBefore: SettingChange[] = []
    let known: { readonly count: number; readonly all: readonly Observed[] } | undefined
    const noteAfter = (after: number, { note: name, ...text }: BroughtAbout): void =>
      void this.#notes.push({ procedure: procedure.name, name, ...text, after })
    return {
      role: this.#role,
      capabilities: this.#options.capabilities,
      data: this.#options.data,
      call: async (step, call) => {
        const exchange = await this.#whileTimePasses(
          this.#session.callService(this.#inDialect(call)),
        )
        this.#steps[exchange.seq] = `${procedure.name}/${step}`
        const observed = createTrace({ ...this.#traceData(), exchanges: [exchange] }).all[0]
        if (!observed) throw new Error('a trace of one exchange has one')
        return observed
      },
      observed: () => {
        if (known?.count !== this.#exchanges.length)
          known = { count: this.#exchanges.length, all: createTrace(this.#traceData(first)).all }
        return known.all
      },
      earlier: () => createTrace(this.#traceData(0, first)).all,
      until: async (find, limit = {}) => {
        let found = find()
        const has = (): boolean => found !== undefined && found !== false
        const begun = this.#session.clock.now()
        const within = limit.within ?? defaultWaitMs
        const { what } = limit
        if (what !== undefined && !has() && this.#vainWaits.isVain(what))
          skip(`two procedures before have waited in vain for ${what}`)
        await this.#clock.waitUntil(() => {
          found = find()
          if (has()) return true
          this.#waits(procedure, begun, limit)
          return false
        }, within)
        const tookMs = this.#session.clock.now() - begun
        if (what !== undefined) this.#vainWaits.ended(procedure.name, what, has(), tookMs)
        return found === false ? undefined : found
      },
      waits: (since, limit) => this.#waits(procedure, since, limit),
      sleep: this.#clock.advance,
      watch: (ms) => {
        const own = this.#begun.findLast(({ name }) => name === procedure.name)
        if (own) own.watchedUntil = Math.max(own.watchedUntil, this.#session.clock.now() + ms)
      },
      createOrder: async (action) => {
        const created = await this.#session.createOrder(action)
        return created.ok
          ? created.value
          : skip(`no order could be placed: ${created.error.message}`)
      },
      submit: async (command) => {
        const done = await this.#session.submit(command)
        if (!done.ok) skip(`${command.kind} is refused: ${done.error.message}`)
      },
      configure: async (changes) => {
        settingsBefore.unshift(...(await this.#session.changeSettings(changes)))
      },
      fault: (spec) => {
        const added = this.#session.faults.add(spec).map(({ id }) => id)
        for (const id of added) faults.add(id)
        return () => endFaults(added)
      },
      ask: async (action) => {
        const { why } = await this.#options.ask(action)
        if (why !== undefined) skip(why)
      },
      unknownId: () => this.#chance.uuid(),
      random: (below) => this.#chance.below(below),
      now: this.#session.clock.now,
      note: (note, text) => noteAfter(this.#lastSeq(), { note, text }),
      bringAbout: async (fact, act) => {
        const after = this.#lastSeq()
        const result = await act()
        if (!isRefusal(result)) noteAfter(after, fact)
        return result
      },
      leaves: (what) => this.#leftovers.push(what),
      skip,
      end: async () => {
        if (settingsBefore.length > 0) await this.#session.changeSettings(settingsBefore)
        endFaults([...faults])
      },
    }
  }

  async #perform(procedure: Procedure): Promise<string | undefined> {
    const missing = procedure.needs?.find((each) => !this.#options.capabilities.includes(each))
    if (missing !== undefined) return `the service does not declare ${missing}`
    const context = this.#contextOf(procedure)
    try {
      await procedure.run(context)
      return undefined
    } catch (error) {
      if (error instanceof ProcedureSkipped) return error.message
      throw error
    } finally {
      await context.end()
    }
  }
}

export function runProcedures(options: ProcedureRunOptions): Promise<ProcedureRun> {
  return new ProcedureRunner(options).run()
}
