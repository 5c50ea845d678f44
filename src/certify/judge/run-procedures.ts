/** Carries procedures out against a service, one after the other, and collects the traffic as a trace. */
import { compact } from '../../core/base/compact.ts'
import { createChance } from '../../core/engine/chance.ts'
import { createScenarioClock } from '../../core/scenario/scenario-clock.ts'
import type { SettingChange } from '../../core/engine/session/setting-change.ts'
import type { ProtocolGeneration } from '../../core/protocol/dialects/settings.ts'
import type { Capability } from '../../core/protocol/operation.ts'
import type { Role } from '../../core/protocol/role.ts'
import type { Session } from '../../core/session-api/session.ts'
import type { CallService } from '../../core/session-api/service-call.ts'
import type { Exchange } from '../../core/traffic/exchange.ts'
import type { CertificationData } from './certification-data.ts'
import {
  ProcedureSkipped,
  type Procedure,
  type ProcedureContext,
  type ServiceAction,
} from './procedure.ts'
import { createTrace, type Observed, type TraceData, type TraceNote } from './trace.ts'

/** The session in which we play the counterparts of the service. */
export interface CertifiedSession extends Session {
  readonly callService: CallService
  /** The generation of the protocol that our counterparts speak. */
  readonly speaks: ProtocolGeneration
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
  /** Called as each procedure begins and ends. */
  readonly onProgress?: (progress: ProcedureProgress) => void
  /** Aborted to end after the procedure under way. */
  readonly signal: AbortSignal
}

export interface ProcedureProgress {
  readonly procedure: string
  readonly number: number
  readonly of: number
  readonly state: 'begins' | 'done' | 'skipped'
  readonly why?: string
  /** How long it took on the session's clock, in ms; absent when it begins. */
  readonly tookMs?: number
}

export interface ProcedureRun {
  readonly trace: TraceData
  /** What stays at the service. */
  readonly leftovers: readonly string[]
}

const defaultWaitMs = 10_000
/** How long our counterparts may take to read the manifest of the service. */
const maxManifestMs = 5000
/** How long a call may take on the session's clock; its own time-out is shorter. */
const maxCallMs = 300_000

const isOfService = ({ from, to }: Exchange): boolean =>
  from.party === 'subject' || to.party === 'subject'

export async function runProcedures(options: ProcedureRunOptions): Promise<ProcedureRun> {
  const { session, role, capabilities, data, seed, signal } = options
  // A service in this process may wait on the session's clock: it learns at once that there is one.
  session.clock.now()
  const clock = createScenarioClock({
    session,
    sleep: options.sleep,
    nextScheduled: () => undefined,
    enough: signal,
  })
  const exchanges: Exchange[] = []
  const steps: Record<number, string> = {}
  const skipped: Record<string, string> = {}
  const notes: TraceNote[] = []
  const leftovers: string[] = []
  const chance = createChance(seed, 'certification')
  /** Instant until which procedures that are over still watch. */
  let watchedUntil = 0
  const stop = session.onExchange((exchange) => {
    if (isOfService(exchange)) exchanges.push(exchange)
  })

  const traceData = (from = 0, to?: number): TraceData => ({
    role,
    speaks: session.speaks,
    capabilities,
    exchanges: exchanges.slice(from, to).toSorted((a, b) => a.seq - b.seq),
    steps,
    notes,
    skipped,
  })

  /** The service may need time to answer. */
  async function whileTimePasses<Value>(work: Promise<Value>): Promise<Value> {
    let isOver = false
    const over = (): void => void (isOver = true)
    work.then(over, over)
    await session.advance(0)
    await clock.waitUntil(() => isOver, maxCallMs)
    return work
  }

  /** Until then, calls could go to a base other than the one that it declares. */
  async function untilManifestIsRead(): Promise<void> {
    if (session.speaks === 'v1') return
    const isRead = (): boolean =>
      session.facts().some(({ fact }) => fact.kind === 'partner.accepted' && fact.partner === role)
    await clock.waitUntil(isRead, maxManifestMs)
    await session.advance(0)
  }

  const skip = (why: string): never => {
    throw new ProcedureSkipped(why)
  }

  function contextOf(
    procedure: Procedure,
  ): ProcedureContext & { readonly end: () => Promise<void> } {
    const first = exchanges.length
    const faults: number[] = []
    const settingsBefore: SettingChange[] = []
    let known: { readonly count: number; readonly all: readonly Observed[] } | undefined
    return {
      role,
      capabilities,
      data,
      async call(step, call) {
        const exchange = await whileTimePasses(session.callService(call))
        steps[exchange.seq] = `${procedure.name}/${step}`
        const observed = createTrace({ ...traceData(), exchanges: [exchange] }).all[0]
        if (!observed) throw new Error('a trace of one exchange has one')
        return observed
      },
      observed() {
        if (known?.count !== exchanges.length)
          known = { count: exchanges.length, all: createTrace(traceData(first)).all }
        return known.all
      },
      earlier: () => createTrace(traceData(0, first)).all,
      async until(find, { within = defaultWaitMs } = {}) {
        let found: ReturnType<typeof find>
        await clock.waitUntil(() => {
          found = find()
          return found !== undefined && found !== false
        }, within)
        return found === false ? undefined : found
      },
      sleep: clock.advance,
      watch(ms) {
        watchedUntil = Math.max(watchedUntil, session.clock.now() + ms)
      },
      async createOrder(action) {
        const created = await session.createOrder(action)
        return created.ok
          ? created.value
          : skip(`no order could be placed: ${created.error.message}`)
      },
      async submit(command) {
        const done = await session.submit(command)
        if (!done.ok) skip(`${command.kind} is refused: ${done.error.message}`)
      },
      async configure(changes) {
        settingsBefore.unshift(...(await session.changeSettings(changes)))
      },
      fault: (spec) => faults.push(...session.faults.add(spec).map(({ id }) => id)),
      async ask(action) {
        const { why } = await options.ask(action)
        if (why !== undefined) skip(why)
      },
      unknownId: () => chance.uuid(),
      random: (below) => chance.below(below),
      now: session.clock.now,
      note(name, text, member) {
        const after = exchanges.at(-1)?.seq ?? 0
        notes.push({ procedure: procedure.name, name, text, after, ...compact({ member }) })
      },
      leaves: (what) => leftovers.push(what),
      skip,
      async end() {
        if (settingsBefore.length > 0) await session.changeSettings(settingsBefore)
        const over = new Set(
          session.faults.list().flatMap(({ id, over: end }) => (end ? [id] : [])),
        )
        for (const id of faults) if (!over.has(id)) session.faults.remove(id)
      },
    }
  }

  async function perform(procedure: Procedure): Promise<string | undefined> {
    const missing = procedure.needs?.find((each) => !capabilities.includes(each))
    if (missing !== undefined) return `the service does not declare ${missing}`
    const context = contextOf(procedure)
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

  const procedures = options.procedures.filter(({ roles }) => roles.includes(role))
  try {
    await untilManifestIsRead()
    for (const [index, procedure] of procedures.entries()) {
      const { name } = procedure
      const progress = { procedure: name, number: index + 1, of: procedures.length }
      options.onProgress?.({ ...progress, state: 'begins' })
      const began = session.clock.now()
      const why = signal.aborted ? 'interrupted' : await perform(procedure)
      const ended = { ...progress, tookMs: session.clock.now() - began }
      if (why === undefined) options.onProgress?.({ ...ended, state: 'done' })
      else {
        skipped[name] = why
        options.onProgress?.({ ...ended, state: 'skipped', why })
      }
    }
    const left = watchedUntil - session.clock.now()
    if (left > 0 && !signal.aborted) await clock.advance(left)
  } finally {
    stop()
  }
  return { trace: traceData(), leftovers }
}
