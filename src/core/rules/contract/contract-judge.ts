/**
 * Judges exchanges against contracts as one more rule, in batches and after the exchanges have ended: asking for the
 * verdict judges those that wait first.
 */
import { type BegunExchange, ExchangeBatch } from '../invariants/judge/batching.ts'
import type { Instant } from '../../engine/instant.ts'
import {
  createFindingTally,
  type DifferenceGroup,
  type FindingTally,
} from '../invariants/judge/finding-tally.ts'
import { LazyEvidence } from '../invariants/judge/retained-exchange.ts'
import { contractRuleId, toPlainEvidence, type Verdict } from '../invariants/verdict.ts'
import type { BodyTranslator } from '../../protocol/translation/translator.ts'
import { operation as catalogueOperation } from '../../protocol/catalogue.ts'
import type { Role } from '../../protocol/role.ts'
import { type Exchange, hasSucceeded } from '../../traffic/exchange.ts'
import type { ExchangeSpan } from '../../traffic/log.ts'
import { urlPath } from '../../traffic/recognise-operation.ts'
import { clauseOpinion } from './clause-comparison.ts'
import type { Contract } from './contract.ts'
import type {
  ComparedMessage,
  ContractDifference,
  ContractExchange,
} from './contract-difference.ts'
import { requestDifferences, responseDifferences } from './exchange-differences.ts'
import {
  clauseOnlyWording,
  contractDifferenceWording,
  type DifferenceWording,
  senderOf,
  type WordedDifference,
} from './contract-wording.ts'
import { createPathIndex, type PathIndex } from './path-index.ts'
import { pointerOf } from './source.ts'

/** What the rule of contracts says of itself: its id, its sentence and what to do when it fails. */
type RuleText = Pick<
  Verdict,
  'id' | 'name' | 'sentence' | 'remedy' | 'kind' | 'clauses' | 'premise' | 'adviceMeaning'
>

const contractRule = (files: readonly string[]): RuleText => ({
  id: contractRuleId,
  name: 'messages-keep-to-the-contract',
  sentence: `Must send requests and answers as ${files.join(' and ')} describes them`,
  remedy:
    'Send what the document describes, or correct the document where it is behind the service',
  kind: 'safety',
  clauses: [],
  premise: 'the service calls, or answers, as a role whose host the document describes',
  adviceMeaning: 'not a mistake of your service',
})

export interface ContractJudgeOptions {
  readonly contracts: readonly Contract[]
  /** Paths under which hosts are served, besides those of the documents' servers. */
  readonly bases?: readonly string[]
  /** A service takes part: only exchanges with a message of it count as checked, not those of our roles. */
  readonly hasService?: boolean
  /** Which requests were made to try their receiver; set where ours may be wrong on purpose, as in a certification. */
  readonly isProbe?: (exchange: Exchange) => boolean
  /** Of the dialect in which bodies are; undefined for the documents’ own. */
  readonly translator?: BodyTranslator | undefined
  /** Called with errors of the judge: the session continues. */
  readonly onBug: (error: unknown) => void
}

interface JudgedContract {
  readonly contract: Contract
  readonly index: PathIndex
}

/** Positions in lists are no difference of their own. */
const generalPlace = (place: string): string => place.replaceAll(/\/\d+(?=\/|$)/g, '/*')

/** Capabilities that documents often leave out: that they do is no mistake of the caller. */
const commonCapabilities: ReadonlySet<string> = new Set(['discovery', 'auth'])

/** Whether a document describes webhooks at all: only then is one that it lacks a difference. */
const hasWebhooks = ({ operations }: Contract): boolean =>
  operations.some(({ path }) => /webhook|event/i.test(path))

/** Whether the service sent a part of it: its request, or its reply to ours. */
const isOfService = ({ from, to, reply }: Exchange): boolean =>
  from.party === 'subject' || (to.party === 'subject' && reply !== undefined)

/** Whether a message left us distorted by a fault, so that it says nothing about who sent it. */
const isDistorted = (exchange: Exchange, side: ContractDifference['side']): boolean =>
  exchange.fault !== undefined && senderOf({ side }, exchange).party === 'sparring'

/** Whether a message of ours differs from the contract because it was to be wrong, for the protocol too. */
function isOnPurpose(
  { side, place, text, isBody }: ContractDifference,
  exchange: ContractExchange,
  { isProbe, translator }: Pick<ContractJudgeOptions, 'translator'> & { readonly isProbe: boolean },
): boolean {
  if (isBody) return clauseOpinion(exchange, side, translator)?.allows === false
  // A header or a parameter that only the contract requires is never left out on purpose.
  return (
    isProbe &&
    side === 'request' &&
    !hasSucceeded(exchange.reply) &&
    !(place.includes(' parameter ') && text.startsWith('is missing'))
  )
}

export class ContractJudge {
  readonly #options: ContractJudgeOptions
  readonly #byRole: ReadonlyMap<Role, readonly JudgedContract[]>
  readonly #tally = createFindingTally<DifferenceWording>()
  #premises = 0
  readonly #batch: ExchangeBatch<ContractExchange>

  constructor(options: ContractJudgeOptions) {
    this.#batch = new ExchangeBatch((begun) => this.#judge(begun), options.onBug)
    this.#options = options
    const bases = options.bases ?? []
    this.#byRole = Map.groupBy(
      options.contracts.map((contract) => ({
        contract,
        index: createPathIndex(contract.operations, bases),
      })),
      ({ contract }): Role => contract.role,
    )
  }

  exchange(exchange: ContractExchange, { began }: Pick<ExchangeSpan, 'began'>): void {
    if (!this.#byRole.has(exchange.to.role)) return
    this.#batch.add({ exchange, began })
  }

  verdict(): Verdict {
    this.#batch.flush()
    const plain = (findings: ReturnType<FindingTally<DifferenceWording>['findings']>) =>
      findings.map((finding) => ({ ...finding, evidence: finding.evidence.map(toPlainEvidence) }))
    const violations = this.#tally.count()
    return {
      ...contractRule(this.#options.contracts.map(({ file }) => file)),
      outcome: violations > 0 ? 'failed' : this.#premises > 0 ? 'passed' : 'not-exercised',
      premises: this.#premises,
      violations,
      inconclusive: 0,
      findings: plain(this.#tally.findings()),
      ...(violations > 0 ? { latest: plain(this.#tally.latest()) } : {}),
    }
  }

  /** All differences that are distinguished, as data. */
  differences(): readonly DifferenceGroup<DifferenceWording>[] {
    this.#batch.flush()
    return this.#tally.groups()
  }

  #report(worded: WordedDifference, began: Instant, wording: () => DifferenceWording): void {
    const { difference, exchange, contract, name } = worded
    const { party } = senderOf(difference, exchange)
    if (
      this.#options.isProbe &&
      party === 'sparring' &&
      isOnPurpose(difference, exchange, {
        isProbe: this.#options.isProbe(exchange),
        translator: this.#options.translator,
      })
    )
      return
    const demand = difference.demand
      ? pointerOf(difference.demand.path)
      : difference.isUnjudged && difference.text
    this.#tally.add({
      key: [
        contract.file,
        name,
        difference.side,
        party,
        generalPlace(difference.place),
        demand,
      ].join(' '),
      isAdvice: difference.isAdvice === true || party !== 'subject',
      at: began,
      orderId: exchange.orderId,
      evidence: [new LazyEvidence({ exchange, began, operation: exchange.operation })],
      wording,
    })
  }

  #judgeSide(message: ComparedMessage, side: ContractDifference['side'], began: Instant): void {
    const { contract, operation, exchange } = message
    if (isDistorted(exchange, side)) return
    const compare = side === 'request' ? requestDifferences : responseDifferences
    const differences = compare(message)
    const { translator } = this.#options
    const about = { exchange, contract, name: operation.name, translator }
    for (const difference of differences) {
      const worded = { ...about, difference }
      this.#report(worded, began, () => contractDifferenceWording(worded))
    }
    const { party } = senderOf({ side }, exchange)
    // Our own messages keep to the clauses, and what we took we have compared with them.
    if (party === 'sparring' || differences.some(({ isBody, isUnjudged }) => isBody || isUnjudged))
      return
    const wasTaken = side === 'request' && exchange.to.party === 'sparring'
    if (wasTaken && hasSucceeded(exchange.reply)) return
    const difference: ContractDifference = {
      side,
      place: 'body',
      text: '',
      demand: operation.location,
      isAdvice: true,
    }
    const wording = clauseOnlyWording({ ...about, difference })
    if (wording !== undefined)
      this.#report(
        { ...about, name: `${operation.name} clauses`, difference },
        began,
        () => wording,
      )
  }

  /** A path or method that no document of the host has. */
  #judgeUnknown(
    judged: readonly JudgedContract[],
    { exchange, began }: BegunExchange<ContractExchange>,
  ): void {
    const [first] = judged
    const path = urlPath(exchange.request.url)
    const isToken = judged.some(({ contract }) => contract.tokenPaths.has(path))
    if (!first || isToken) return
    const { method } = exchange.request
    const { operation } = exchange
    const found = judged
      .map(({ index }) => index.find(method, exchange.request.url))
      .find(({ kind }) => kind === 'other-methods')
    const known = found?.kind === 'other-methods' ? found : undefined
    const otherEnd = path.endsWith('/') ? path.replace(/\/+$/, '') : `${path}/`
    const isOtherEnd = judged.some(({ index }) => index.find(method, otherEnd).kind === 'operation')
    const row = operation && catalogueOperation(operation)
    const isBeside =
      row !== undefined &&
      (commonCapabilities.has(row.capability) ||
        (row.webhook !== undefined && !judged.some(({ contract }) => hasWebhooks(contract))))
    const difference: ContractDifference = {
      side: 'request',
      place: known ? 'method' : 'path',
      text: known
        ? `${method} is none of ${known.path}, which has ${known.methods.join(', ')}`
        : isBeside
          ? `${path}, as others of discovery, tokens and webhooks, is none of the contract`
          : `${path} is none of the contract${isOtherEnd ? `, which has ${otherEnd}` : ''}`,
      demand: undefined,
      ...((row === undefined || isBeside) && !isOtherEnd ? { isAdvice: true } : {}),
    }
    // The path of a foreign call may hold ids; one finding for all of them is enough.
    const name = isBeside && !known && !isOtherEnd ? 'beside the document' : (operation ?? method)
    const worded = { difference, exchange, contract: first.contract, name }
    this.#report(worded, began, () => contractDifferenceWording(worded))
  }

  #judge(queued: BegunExchange<ContractExchange>): void {
    const { exchange, began } = queued
    const judged = this.#byRole.get(exchange.to.role)
    if (!judged) return
    if (!this.#options.hasService || isOfService(exchange)) this.#premises++
    let isKnown = false
    for (const { contract, index } of judged) {
      const found = index.find(exchange.request.method, exchange.request.url)
      if (found.kind !== 'operation') continue
      isKnown = true
      const { operation, values } = found
      const message = { contract, operation, exchange, values }
      this.#judgeSide(message, 'request', began)
      this.#judgeSide(message, 'response', began)
    }
    if (!isKnown) this.#judgeUnknown(judged, queued)
  }
}
