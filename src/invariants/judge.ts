/**
 * Shows every invariant what it wants to see, and gathers what they say. It is fed by the journal and by the traffic, and
 * may be asked for its verdicts at any time.
 */
import type { Entry } from '../engine/journal.ts'
import type { Exchange } from '../traffic/exchange.ts'
import type { Span } from '../traffic/log.ts'
import { acknowledged, handedOver, createSeeing } from './exchange.ts'
import type { Ending, Invariant, Show, Tell } from './invariant.ts'
import type { SeenAcknowledgment, SeenExchange, SeenFact, SeenHandover, SeenProbe } from './seen.ts'
import { type Finding, mostFindings, type Outcome, type Verdict } from './verdict.ts'
import { createKeeper, type KeeperOptions } from './watch/keeper.ts'
import type { Watch } from './watch/watch.ts'

export interface JudgeOptions extends KeeperOptions {
  readonly invariants: readonly Invariant[]
}

export interface Judge {
  readonly watch: Watch
  readonly fact: (entry: Entry) => void
  readonly exchange: (exchange: Exchange, span: Span) => void
  /** What the subject itself says of an order. */
  readonly probe: (probe: Omit<SeenProbe, 'kind'>) => void
  /** Every invariant's, in the order of the catalogue. */
  readonly verdicts: () => readonly Verdict[]
  /** How the run has ended, by the ids of the invariants that compare runs. */
  readonly endings: () => Endings
  /** Somebody had the subject ask to cancel this order: it does not do so of its own accord. */
  readonly asked: (orderId: string) => void
}

/** How a run has ended, order by order, as each invariant that compares runs sees it. */
export type Endings = ReadonlyMap<string, readonly Ending[]>

/** What one invariant has come to. */
interface Docket {
  readonly invariant: Invariant
  readonly state: unknown
  premises: number
  broken: number
  findings: Finding[]
  told: Set<string>
}

/** What has been told once is remembered so often; then it may be told again. */
const mostTold = 10_000

function tellOf(docket: Docket, watch: Watch, open: () => void): Tell {
  return {
    premise: () => void docket.premises++,
    broken({ because, evidence, orderId, once, advice }) {
      if (once !== undefined) {
        if (docket.told.has(once)) return
        if (docket.told.size < mostTold) docket.told.add(once)
      }
      docket.broken++
      if (docket.findings.length >= mostFindings) return
      const slot = orderId === undefined ? undefined : watch.orders.get(orderId)?.slot
      docket.findings.push({
        because,
        at: watch.now,
        evidence: evidence.toSorted((one, other) => one.seq - other.seq),
        ...(orderId === undefined ? {} : { orderId }),
        ...(slot === undefined ? {} : { slot }),
        ...(advice || watch.robustness() ? { advice: true as const } : {}),
      })
    },
    open,
  }
}

const ignore = (): void => undefined

/** An invariant's word for what is seen, with all that it needs at hand. */
interface Audience<Thing> {
  readonly show: Show<unknown, Thing>
  readonly state: unknown
  readonly tell: Tell
}

function add<Thing>(
  index: Map<string, Audience<Thing>[]>,
  key: string,
  one: Audience<Thing>,
): void {
  const known = index.get(key)
  if (known) known.push(one)
  else index.set(key, [one])
}

export function createJudge(options: JudgeOptions): Judge {
  const { subject } = options
  const keeper = createKeeper(options)
  const { watch } = keeper
  const see = createSeeing(subject)
  const dockets = options.invariants
    .filter(({ binds }) => binds.includes(subject))
    .map((invariant): Docket => ({
      invariant,
      state: invariant.start(),
      premises: 0,
      broken: 0,
      findings: [],
      told: new Set(),
    }))

  const everyExchange: Audience<SeenExchange>[] = []
  const byOperation = new Map<string, Audience<SeenExchange>[]>()
  const byFact = new Map<string, Audience<SeenFact>[]>()
  const handovers: Audience<SeenHandover>[] = []
  const acknowledgments: Audience<SeenAcknowledgment>[] = []
  const probes: Audience<SeenProbe>[] = []

  for (const docket of dockets) {
    const { state } = docket
    const { sees, shown } = docket.invariant
    const tell = tellOf(docket, watch, ignore)
    const { exchange, handover, acknowledgment, fact, probe } = shown
    if (handover) handovers.push({ show: handover, state, tell })
    if (acknowledgment) acknowledgments.push({ show: acknowledgment, state, tell })
    if (probe) probes.push({ show: probe, state, tell })
    if (fact) for (const kind of sees.facts ?? []) add(byFact, kind, { show: fact, state, tell })
    if (!exchange) continue
    if (sees.exchanges === 'all') everyExchange.push({ show: exchange, state, tell })
    else
      for (const operation of sees.exchanges ?? [])
        add(byOperation, operation, { show: exchange, state, tell })
  }
  for (const some of byOperation.values()) some.push(...everyExchange)

  function present<Thing>(thing: Thing, audience: readonly Audience<Thing>[]): void {
    for (const { show, state, tell } of audience) show(state, thing, watch, tell)
  }

  const nameOf = (eventId: string): string => watch.world.ordering.names.get(eventId) ?? eventId

  function handOver(exchange: SeenExchange): void {
    const channel = exchange.by === 'subject' ? 'polling' : 'webhook'
    const at = channel === 'polling' ? exchange.ended : exchange.began
    let place = 0
    for (const { eventId: name, eventType, orderId, createdAt } of handedOver(exchange)) {
      const eventId = nameOf(name)
      const nth = keeper.handoversOf(eventId) + 1
      const told = { eventId, eventType, orderId, createdAt, channel, at, nth, place } as const
      const seen: SeenHandover = { kind: 'handover', ...told, exchange }
      keeper.handover(seen)
      present(seen, handovers)
      place++
    }
  }

  function acknowledge(exchange: SeenExchange): void {
    const channel = exchange.by === 'subject' ? 'polling' : 'webhook'
    for (const name of acknowledged(exchange)) {
      const eventId = nameOf(name)
      const event = watch.events.get(eventId)
      const seen: SeenAcknowledgment = {
        kind: 'acknowledgment',
        eventId,
        eventType: event?.eventType,
        orderId: event?.orderId,
        channel,
        at: exchange.ended,
        exchange,
      }
      keeper.acknowledgment(seen)
      present(seen, acknowledgments)
    }
  }

  /** Told anew each time: what must come in the end is a question of this moment. */
  function verdictOf(docket: Docket): Verdict {
    const { invariant, premises } = docket
    let open = false
    const now: Docket = { ...docket, findings: [...docket.findings], told: new Set() }
    const tell = tellOf(now, watch, () => {
      open = true
    })
    invariant.end?.(now.state, watch, { ...tell, premise: () => void now.premises++ })
    const outcome: Outcome =
      now.broken > 0 ? 'broken' : open ? 'open' : now.premises > 0 ? 'held' : 'untested'
    const { id, name, sentence, kind, clauses, premise } = invariant
    return {
      id,
      name,
      sentence,
      kind,
      clauses,
      outcome,
      premises: Math.max(premises, now.premises),
      premise,
      broken: now.broken,
      findings: now.findings,
    }
  }

  return {
    watch,
    fact(entry) {
      keeper.fact(entry)
      const { fact, at } = entry
      // Of the many facts few are of interest to anybody.
      const audience = byFact.get(fact.kind)
      if (audience) present({ kind: 'fact', entry, fact, at }, audience)
    },
    exchange(exchange, span) {
      const seen = see(exchange, span)
      if (!seen) return
      keeper.exchange(seen)
      const { operation } = seen
      if (operation === undefined) return present(seen, everyExchange)
      present(seen, byOperation.get(operation) ?? everyExchange)
      handOver(seen)
      acknowledge(seen)
    },
    probe: (probe) => present({ kind: 'probe', ...probe }, probes),
    verdicts: () => dockets.map(verdictOf),
    endings: () =>
      new Map(
        dockets.flatMap(({ invariant: { id, ending }, state }) =>
          ending ? [[id, ending(state, watch)] as const] : [],
        ),
      ),
    asked: keeper.asked,
  }
}
