/**
 * Judges the traffic of a session by the live parts of the checks, clause by clause, in batches and after the exchanges have
 * ended: asking for verdicts judges those that wait first. The same checks judge the trace of a certification.
 */
import { type BegunExchange, ExchangeBatch } from '../invariants/judge/batching.ts'
import type { Instant } from '../../engine/instant.ts'
import type { OperationId } from '../../protocol/catalogue.ts'
import { capabilities } from '../../protocol/operation.ts'
import type { DialectChoice } from '../../protocol/dialects/catalogue.ts'
import type { ProtocolGeneration } from '../../protocol/dialects/settings.ts'
import { type Role, roles } from '../../protocol/role.ts'
import type { Exchange } from '../../traffic/exchange.ts'
import type { ExchangeSpan } from '../../traffic/log.ts'
import { createFindingTally } from '../invariants/judge/finding-tally.ts'
import { LazyEvidence } from '../invariants/judge/retained-exchange.ts'
import {
  type Finding,
  isViolation,
  type RuleDescription,
  toPlainEvidence,
  type Verdict,
} from '../invariants/verdict.ts'
import {
  type Check,
  type Fold,
  levelOf,
  type LivePart,
  type Observation,
  ruleOfCheck,
} from './check.ts'
import { anyMessage, Folds, messageKeys } from './live.ts'
import { createTrace, type HasPassed, type Observed } from './trace.ts'
import { isPathUnserved } from './transport/error-body.ts'

export interface ClauseJudgeOptions {
  readonly checks: readonly Check[]
  /** The role of the service. */
  readonly role: Role
  readonly speaks: ProtocolGeneration
  readonly dialect: DialectChoice | undefined
  /** Without it time is that of the exchanges. */
  readonly hasPassed?: HasPassed
  /** Called with errors of the judge: the session continues. */
  readonly onBug: (error: unknown) => void
}

/** A check of the role with what it has found. */
interface JudgedCheck {
  readonly check: Check
  readonly tally: ReturnType<typeof createFindingTally>
  /** It looks at the life of an entity, which says more than one message. */
  readonly isOfLife: boolean
  occasions: number
  /**
   * A single message was not as the documents advise: no verdict tells it, since a session has too many of them; a
   * certification does.
   */
  isUnusual: boolean
}

interface JudgedPart {
  readonly judged: JudgedCheck
  readonly part: LivePart
}

function addTo<Key>(parts: Map<Key, JudgedPart[]>, key: Key, part: JudgedPart): void {
  const known = parts.get(key) ?? []
  known.push(part)
  parts.set(key, known)
}

interface SelectedPart {
  readonly part: LivePart
  readonly keys: readonly string[]
}

interface LiveCheck {
  readonly check: Check
  readonly parts: readonly SelectedPart[]
}

/** Sessions of one process judge the same checks. */
const knownLive = new WeakMap<readonly Check[], Partial<Record<Role, readonly LiveCheck[]>>>()

/** The checks of a role that a session can judge, with their parts and the keys of the messages that these look at. */
export function liveChecks(checks: readonly Check[], role: Role): readonly LiveCheck[] {
  const known = knownLive.get(checks) ?? {}
  knownLive.set(checks, known)
  return (known[role] ??= checks.flatMap((check) => {
    const { live = [] } = check.roles.includes(role) ? check.assertion : {}
    const parts = live
      .map((part) => ({ part, keys: [...(part.selects?.(role) ?? [anyMessage])] }))
      .filter(({ keys }) => keys.length > 0)
    return parts.length === 0 ? [] : [{ check, parts }]
  }))
}

/** The rules by which sessions judge clauses, each with the roles that it binds: roles may have sentences of their own. */
export function clauseRules(
  checks: readonly Check[],
): readonly (RuleDescription & { readonly binds: readonly Role[] })[] {
  const found = new Map<string, RuleDescription & { readonly binds: readonly Role[] }>()
  for (const role of roles)
    for (const { check } of liveChecks(checks, role)) {
      const rule = ruleOfCheck(check)
      const key = `${rule.id} ${rule.remedy}`
      const known = found.get(key) ?? { ...rule, binds: [] }
      found.set(key, { ...known, binds: [...known.binds, role] })
    }
  return [...found.values()].toSorted((one, other) => (one.id < other.id ? -1 : 1))
}

/** What is said of the clauses that were kept. */
const keptClauses: Omit<RuleDescription, 'clauses'> = {
  id: 'CLAUSES',
  name: 'clauses-that-came-up',
  sentence:
    'Must keep to every clause that one message, or the life of an account, customer, order or delivery shows.',
  remedy: 'Nothing is to do.',
  kind: 'safety',
  premise: 'a message comes that a clause is about',
}

const otherClausesSentence = keptClauses.sentence.replace('every clause', 'every other clause')

const adviceMeaning = 'the documents advise it, or leave it open'

export class ClauseJudge {
  readonly #options: ClauseJudgeOptions
  readonly #judged: JudgedCheck[] = []
  /** Parts by the messages that they look at, and those of folds by their fold. */
  readonly #byMessage = new Map<string, JudgedPart[]>()
  readonly #byFold = new Map<Fold<unknown>, JudgedPart[]>()
  /** Parts by operation, of calls and of answers. */
  readonly #ofCalls = new Map<OperationId | undefined, readonly JudgedPart[]>()
  readonly #ofAnswers = new Map<OperationId | undefined, readonly JudgedPart[]>()
  #folds = new Folds()
  readonly #batch: ExchangeBatch

  constructor(options: ClauseJudgeOptions) {
    this.#batch = new ExchangeBatch((begun) => this.#judge(begun), options.onBug)
    this.#options = options
    for (const { check, parts } of liveChecks(options.checks, options.role)) {
      const judged = {
        check,
        tally: createFindingTally(),
        isOfLife: parts.some(({ part }) => part.selects === undefined),
        occasions: 0,
        isUnusual: false,
      }
      this.#judged.push(judged)
      for (const { part, keys } of parts) {
        const pair = { judged, part }
        if (part.fold) addTo(this.#byFold, part.fold, pair)
        else for (const key of keys) addTo(this.#byMessage, key, pair)
      }
    }
  }

  exchange(exchange: Exchange, { began }: Pick<ExchangeSpan, 'began'>): void {
    if (exchange.from.party !== 'subject' && exchange.to.party !== 'subject') return
    this.#batch.add({ exchange, began })
  }

  /** The service starts again: it may have forgotten what is known of it. */
  beginAnew(): void {
    this.#batch.flush()
    this.#folds = new Folds()
  }

  /** One verdict for each clause that was not kept, those of lives first, and one of all others that have come up. */
  verdicts(): readonly Verdict[] {
    this.#batch.flush()
    const isBroken = ({ tally }: JudgedCheck): boolean => tally.count() > 0
    const broken = this.#judged
      .filter(isBroken)
      .toSorted((one, other) => Number(other.isOfLife) - Number(one.isOfLife))
    const kept = this.#judged.filter(
      (each) => each.occasions > 0 && !each.isUnusual && !isBroken(each),
    )
    const premises = kept.reduce((sum, { occasions }) => sum + occasions, 0)
    return [
      ...broken.map((each) => this.#verdict(each)),
      {
        ...keptClauses,
        ...(broken.length > 0 ? { sentence: otherClausesSentence } : {}),
        clauses: [...new Set(kept.flatMap(({ check }) => check.clauses))].toSorted(),
        outcome: premises > 0 ? 'passed' : 'not-exercised',
        premises,
        violations: 0,
        inconclusive: 0,
        findings: [],
      },
    ]
  }

  #verdict({ check, tally, occasions }: JudgedCheck): Verdict {
    const plain = (findings: readonly Finding[]) =>
      findings.map((finding) => ({ ...finding, evidence: finding.evidence.map(toPlainEvidence) }))
    const findings = plain(tally.findings())
    return {
      ...ruleOfCheck(check),
      adviceMeaning,
      outcome: 'failed',
      premises: occasions,
      violations: findings.some(isViolation) ? tally.count() : 0,
      inconclusive: 0,
      findings,
      latest: plain(tally.latest()),
    }
  }

  #report(
    { judged, part }: JudgedPart,
    { problem, isNotice, exchanges }: Observation,
    at: Instant,
  ): void {
    judged.occasions++
    if (problem === undefined) return
    const isAdvice = isNotice === true || levelOf(judged.check) !== 'MUST'
    if (isAdvice && part.selects !== undefined && !part.advises) {
      judged.isUnusual = true
      return
    }
    judged.tally.add({
      key: problem,
      isAdvice,
      at,
      orderId: exchanges.at(-1)?.orderId,
      evidence: exchanges.map(
        (exchange) =>
          new LazyEvidence({ exchange, began: exchange.startedAt, operation: exchange.operation }),
      ),
      wording: () => ({ text: `${problem}.` }),
    })
  }

  #judge({ exchange, began }: BegunExchange): void {
    const { role, speaks, dialect, hasPassed } = this.#options
    if (exchange.failure?.code === 'ECONNREFUSED') this.#folds = new Folds()
    const trace = createTrace({
      role,
      speaks,
      dialect,
      capabilities,
      exchanges: [exchange],
      steps: {},
      notes: [],
      skipped: {},
      hasPassed,
    })
    const [observed] = trace.all
    if (!observed) return
    // A session does not blame a service for the answers of its framework; a certification does.
    const isOfFramework = isPathUnserved(observed)
    const look = (pair: JudgedPart): void => {
      for (const found of pair.part.judge(observed, trace, this.#folds))
        this.#report(pair, found, began)
    }
    for (const pair of this.#partsFor(observed))
      if (!isOfFramework || pair.part.selects === undefined) look(pair)
    for (const [fold, pairs] of this.#byFold)
      if (this.#folds.moments(fold, observed, trace).length > 0)
        for (const pair of pairs) look(pair)
  }

  #partsFor(observed: Observed): readonly JudgedPart[] {
    const known = observed.isCall ? this.#ofCalls : this.#ofAnswers
    const found = known.get(observed.operation) ?? [
      ...new Set(messageKeys(observed).flatMap((key) => this.#byMessage.get(key) ?? [])),
    ]
    known.set(observed.operation, found)
    return found
  }
}
