/**
 * Judges exchanges against contracts as one more rule, in batches and after the exchanges have ended: asking for the
 * verdict judges those that wait first.
 */
import type { Instant } from '../../engine/instant.ts'
import { LazyEvidence } from '../invariants/judge/retained-exchange.ts'
import { toPlainEvidence, type Verdict } from '../invariants/verdict.ts'
import { operation as catalogueOperation } from '../../protocol/catalogue.ts'
import type { Role } from '../../protocol/role.ts'
import { type Exchange, hasSucceeded, largeChars } from '../../traffic/exchange.ts'
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
import { createFindingTally, type DifferenceGroup } from './finding-tally.ts'
import { contractRule } from './contract-rule.ts'
import {
  clauseOnlyWording,
  contractDifferenceWording,
  type DifferenceWording,
  senderOf,
  type WordedDifference,
} from './contract-wording.ts'
import { createPathIndex, type PathIndex } from './path-index.ts'
import { pointerOf } from './source.ts'

export interface ContractJudge {
  readonly exchange: (exchange: ContractExchange, span: Pick<ExchangeSpan, 'began'>) => void
  readonly verdict: () => Verdict
  /** All differences that are distinguished, as data. */
  readonly differences: () => readonly DifferenceGroup[]
}

export interface ContractJudgeOptions {
  readonly contracts: readonly Contract[]
  /** Paths under which hosts are served, besides those of the documents' servers. */
  readonly bases?: readonly string[]
  /** Which requests were made to try their receiver; set where ours may be wrong on purpose, as in a certification. */
  readonly isProbe?: (exchange: Exchange) => boolean
  /** Called with errors of the judge: the session continues. */
  readonly onBug: (error: unknown) => void
}

/** Maximum number of exchanges that wait; so many are judged within milliseconds. */
const maxQueued = 256
/** Maximum number of characters that wait, to bound memory. */
const maxQueuedChars = 1_000_000

interface JudgedContract {
  readonly contract: Contract
  readonly index: PathIndex
}

interface QueuedExchange {
  readonly exchange: ContractExchange
  readonly began: Instant
}

/** Positions in lists are no difference of their own. */
const generalPlace = (place: string): string => place.replaceAll(/\/\d+(?=\/|$)/g, '/*')

/** Capabilities that documents often leave out: that they do is no mistake of the caller. */
const commonCapabilities: ReadonlySet<string> = new Set(['discovery', 'auth'])

/** Whether a message left us distorted by a fault, so that it says nothing about who sent it. */
const isDistorted = (exchange: Exchange, side: ContractDifference['side']): boolean =>
  exchange.fault !== undefined && senderOf({ side }, exchange).party === 'sparring'

/** Whether a message of ours differs from the contract because it was to be wrong, for the protocol too. */
function isOnPurpose(
  { side, place, text, isBody }: ContractDifference,
  exchange: ContractExchange,
  isProbe: boolean,
): boolean {
  if (isBody) return clauseOpinion(exchange, side)?.allows === false
  // A header or a parameter that only the contract requires is never left out on purpose.
  return (
    isProbe &&
    side === 'request' &&
    !(place.includes(' parameter ') && text.startsWith('is missing'))
  )
}

export function createContractJudge({
  contracts,
  bases = [],
  isProbe,
  onBug,
}: ContractJudgeOptions): ContractJudge {
  const byRole = Map.groupBy(
    contracts.map((contract) => ({
      contract,
      index: createPathIndex(contract.operations, bases),
    })),
    ({ contract }): Role => contract.role,
  )
  const tally = createFindingTally()
  let premises = 0
  let queue: QueuedExchange[] = []
  let queuedChars = 0

  function report(
    worded: WordedDifference,
    began: Instant,
    wording: () => DifferenceWording,
  ): void {
    const { difference, exchange, contract, name } = worded
    const { party } = senderOf(difference, exchange)
    if (isProbe && party === 'sparring' && isOnPurpose(difference, exchange, isProbe(exchange)))
      return
    const demand = difference.demand ? pointerOf(difference.demand.path) : ''
    tally.add({
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
      evidence: new LazyEvidence({ exchange, began, operation: exchange.operation }),
      wording,
    })
  }

  function judgeSide(
    message: ComparedMessage,
    side: ContractDifference['side'],
    began: Instant,
  ): void {
    const { contract, operation, exchange } = message
    if (isDistorted(exchange, side)) return
    const compare = side === 'request' ? requestDifferences : responseDifferences
    const differences = compare(message)
    const about = { exchange, contract, name: operation.name }
    for (const difference of differences) {
      const worded = { ...about, difference }
      report(worded, began, () => contractDifferenceWording(worded))
    }
    const { party } = senderOf({ side }, exchange)
    // Our own messages keep to the clauses, and what we took we have compared with them.
    if (party === 'sparring' || differences.some(({ isBody }) => isBody)) return
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
      report({ ...about, name: `${operation.name} clauses`, difference }, began, () => wording)
  }

  /** A path or method that no document of the host has. */
  function judgeUnknown(
    judged: readonly JudgedContract[],
    { exchange, began }: QueuedExchange,
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
    const isCommon =
      operation === undefined || commonCapabilities.has(catalogueOperation(operation).capability)
    const difference: ContractDifference = {
      side: 'request',
      place: known ? 'method' : 'path',
      text: known
        ? `${method} is none of ${known.path}, which has ${known.methods.join(', ')}`
        : `${path} is none of the contract`,
      demand: undefined,
      ...(isCommon ? { isAdvice: true } : {}),
    }
    // The path of a foreign call may hold ids; one finding for all of them is enough.
    const name = operation ?? method
    const worded = { difference, exchange, contract: first.contract, name }
    report(worded, began, () => contractDifferenceWording(worded))
  }

  function judge(queued: QueuedExchange): void {
    const { exchange, began } = queued
    const judged = byRole.get(exchange.to.role)
    if (!judged) return
    premises++
    let isKnown = false
    for (const { contract, index } of judged) {
      const found = index.find(exchange.request.method, exchange.request.url)
      if (found.kind !== 'operation') continue
      isKnown = true
      const { operation, values } = found
      const message = { contract, operation, exchange, values }
      judgeSide(message, 'request', began)
      judgeSide(message, 'response', began)
    }
    if (!isKnown) judgeUnknown(judged, queued)
  }

  function flush(): void {
    const batch = queue
    queue = []
    queuedChars = 0
    for (const queued of batch)
      try {
        judge(queued)
      } catch (error) {
        // A body may be nested so deep that the stack is full: then nothing is said about it.
        if (!(error instanceof RangeError)) onBug(error)
      }
  }

  return {
    differences() {
      flush()
      return tally.groups()
    },
    exchange(exchange, { began }) {
      if (!byRole.has(exchange.to.role)) return
      queue.push({ exchange, began })
      queuedChars += largeChars(exchange)
      if (queue.length >= maxQueued || queuedChars >= maxQueuedChars) flush()
    },
    verdict() {
      flush()
      const plain = (findings: ReturnType<typeof tally.findings>) =>
        findings.map((finding) => ({ ...finding, evidence: finding.evidence.map(toPlainEvidence) }))
      const violations = tally.count()
      return {
        ...contractRule(contracts.map(({ file }) => file)),
        outcome: violations > 0 ? 'failed' : premises > 0 ? 'passed' : 'not-exercised',
        premises,
        violations,
        inconclusive: 0,
        findings: plain(tally.findings()),
        ...(violations > 0 ? { latest: plain(tally.latest()) } : {}),
      }
    },
  }
}
