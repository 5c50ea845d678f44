/**
 * Judges the traffic of a session by the live parts of the checks, clause by clause, in batches and after the exchanges have
 * ended: asking for verdicts judges those that wait first. The same checks judge the trace of a certification.
 */
import type { Instant } from '../../engine/instant.ts'
import type { Clauses } from '../../protocol/clause.ts'
import type { Capability } from '../../protocol/operation.ts'
import type { DialectName } from '../../protocol/dialects/catalogue.ts'
import type { ProtocolGeneration } from '../../protocol/dialects/settings.ts'
import type { Role } from '../../protocol/role.ts'
import { type Exchange, largeChars } from '../../traffic/exchange.ts'
import type { ExchangeSpan } from '../../traffic/log.ts'
import { createFindingTally } from '../invariants/judge/finding-tally.ts'
import { LazyEvidence } from '../invariants/judge/retained-exchange.ts'
import { type Finding, isViolation, toPlainEvidence, type Verdict } from '../invariants/verdict.ts'
import { type Check, levelOf, type Observation } from './check.ts'
import { Folds, type LivePart } from './live.ts'
import { createTrace } from './trace.ts'

export interface ClauseJudgeOptions {
  readonly checks: readonly Check[]
  /** The role of the service. */
  readonly role: Role
  readonly speaks: ProtocolGeneration
  readonly dialect: DialectName | undefined
  /** The sentences of the clauses. */
  readonly clauses: Clauses
  /** Called with errors of the judge: the session continues. */
  readonly onBug: (error: unknown) => void
}

/** Maximum number of exchanges that wait; so many are judged within milliseconds. */
const maxQueued = 256
/** Maximum number of characters that wait, to bound memory. */
const maxQueuedChars = 1_000_000

interface QueuedExchange {
  readonly exchange: Exchange
  readonly began: Instant
}

/** A check of the role with what it has found. */
interface JudgedCheck {
  readonly check: Check
  readonly parts: readonly LivePart[]
  readonly tally: ReturnType<typeof createFindingTally>
  occasions: number
}

const capabilities: readonly Capability[] = [
  'orders',
  'indoor',
  'logistics',
  'customer',
  'discovery',
  'auth',
]

const adviceMeaning = 'the documents advise it, or leave it open'

export class ClauseJudge {
  readonly #options: ClauseJudgeOptions
  readonly #judged: readonly JudgedCheck[]
  readonly #folds = new Folds()
  /** Instants of exchanges that folds remember. */
  readonly #began = new WeakMap<Exchange, Instant>()
  #queue: QueuedExchange[] = []
  #queuedChars = 0

  constructor(options: ClauseJudgeOptions) {
    this.#options = options
    this.#judged = options.checks
      .filter(({ roles }) => roles.includes(options.role))
      .flatMap((check) => {
        const { live = [] } = check.assertion
        return live.length === 0
          ? []
          : [{ check, parts: live, tally: createFindingTally(), occasions: 0 }]
      })
  }

  exchange(exchange: Exchange, { began }: Pick<ExchangeSpan, 'began'>): void {
    if (exchange.from.party !== 'subject' && exchange.to.party !== 'subject') return
    this.#queue.push({ exchange, began })
    this.#queuedChars += largeChars(exchange)
    if (this.#queue.length >= maxQueued || this.#queuedChars >= maxQueuedChars) this.#flush()
  }

  /** The clauses that were violated, or not kept as the documents advise. */
  verdicts(): readonly Verdict[] {
    this.#flush()
    return this.#judged.filter(({ tally }) => tally.count() > 0).map((each) => this.#verdict(each))
  }

  /** The clauses that have come up, whether they were kept or not. */
  exercised(): readonly string[] {
    this.#flush()
    return this.#judged
      .filter(({ occasions }) => occasions > 0)
      .flatMap(({ check }) => check.clauses)
  }

  #verdict({ check, tally, occasions }: JudgedCheck): Verdict {
    const [clause] = check.clauses
    const plain = (findings: readonly Finding[]) =>
      findings.map((finding) => ({ ...finding, evidence: finding.evidence.map(toPlainEvidence) }))
    const findings = plain(tally.findings())
    return {
      id: clause,
      name: clause.toLowerCase(),
      sentence: this.#options.clauses.get(clause)?.says ?? clause,
      remedy: check.remedy,
      kind: 'safety',
      clauses: check.clauses,
      premise: 'the clause comes up in the traffic',
      adviceMeaning,
      outcome: 'failed',
      premises: occasions,
      violations: findings.some(isViolation) ? tally.count() : 0,
      inconclusive: 0,
      findings,
      latest: plain(tally.latest()),
    }
  }

  #report(judged: JudgedCheck, { problem, isNotice, exchanges }: Observation, at: Instant): void {
    judged.occasions++
    if (problem === undefined) return
    judged.tally.add({
      key: problem,
      isAdvice: isNotice === true || levelOf(judged.check) !== 'MUST',
      at,
      orderId: exchanges.at(-1)?.orderId,
      evidence: exchanges.map(
        (exchange) =>
          new LazyEvidence({
            exchange,
            began: this.#began.get(exchange) ?? at,
            operation: exchange.operation,
          }),
      ),
      wording: () => ({ text: `${problem}.` }),
    })
  }

  #judge({ exchange, began }: QueuedExchange): void {
    const { role, speaks, dialect } = this.#options
    this.#began.set(exchange, began)
    const trace = createTrace({
      role,
      speaks,
      dialect,
      capabilities,
      exchanges: [exchange],
      steps: {},
      notes: [],
      skipped: {},
    })
    const [observed] = trace.all
    if (!observed) return
    for (const judged of this.#judged)
      for (const part of judged.parts)
        for (const found of part(observed, trace, this.#folds)) this.#report(judged, found, began)
  }

  #flush(): void {
    const batch = this.#queue
    this.#queue = []
    this.#queuedChars = 0
    for (const queued of batch)
      try {
        this.#judge(queued)
      } catch (error) {
        // A body may be nested so deep that the stack is full: then nothing is said about it.
        if (!(error instanceof RangeError)) this.#options.onBug(error)
      }
  }
}
