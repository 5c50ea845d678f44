/** Assertions about an Indoor client: the account that a call names, and what the client knew of it by then. */
import type { OperationId } from '../../../protocol/catalogue.ts'
import { accountEvents } from '../../../protocol/indoor/events.ts'
import type { AccountStatus } from '../../../protocol/indoor/status.ts'
import { isUnknownRecord } from '../../../protocol/unknown-record.ts'
import { endOf } from '../../../traffic/exchange.ts'
import type { Assertion } from '../check.ts'
import { observation } from '../assertion.ts'
import type { Observed, Trace } from '../trace.ts'
import { accountView } from './account-assertions.ts'

/** How an account is named: by its operational key, by its id, or by both. */
export interface AccountNames {
  readonly accountId: string | undefined
  readonly operationMode: string | undefined
  readonly identifier: string | undefined
}

export const textOf = (value: unknown): string | undefined =>
  typeof value === 'string' && value !== '' ? value : undefined

/** The account that a call names: in its path, its query or its body. */
export function namesIn({ exchange, url, request }: Observed): AccountNames {
  const body = isUnknownRecord(request) ? request : {}
  const named = (name: string): string | undefined =>
    textOf(exchange.params?.[name]) ?? textOf(url.searchParams.get(name)) ?? textOf(body[name])
  return {
    accountId: named('accountId'),
    operationMode: named('operationMode'),
    identifier: named('identifier'),
  }
}

const isSame = (one: AccountNames, other: AccountNames): boolean =>
  one.accountId !== undefined && other.accountId !== undefined
    ? one.accountId === other.accountId
    : one.identifier !== undefined &&
      one.identifier === other.identifier &&
      one.operationMode === other.operationMode

interface Knowledge {
  readonly names: AccountNames
  readonly status: AccountStatus
  readonly seq: number
  /** When it was reported. */
  readonly at: number
}

const timeOf = ({ exchange }: Observed) => ({ seq: exchange.seq, at: endOf(exchange) })

/** What each read and each event has reported to the client about an account, in their order. */
function knowledgeOf(trace: Trace): readonly Knowledge[] {
  const read = trace.calls('getAccount', 'getAccountById').flatMap((call) => {
    const view = accountView(call)
    if (!view) return []
    const { accountId, operationMode, identifier, status } = view
    return [{ names: { accountId, operationMode, identifier }, status, ...timeOf(call) }]
  })
  const heard = trace.received().flatMap(({ event, eventType = '', observed }) => {
    const status = Object.entries(accountEvents).find(([type]) => type === eventType)?.[1].after
    if (status === undefined) return []
    const names = {
      accountId: textOf(event['accountId']),
      operationMode: textOf(event['operationMode']),
      identifier: textOf(event['identifier']),
    }
    return [{ names, status, ...timeOf(observed) }]
  })
  return [...read, ...heard].toSorted((a, b) => a.at - b.at || a.seq - b.seq)
}

/** Each call of an operation is made in a status that allows it, as far as the client knew the status. */
export const callsIn = (operation: OperationId, allowed: readonly AccountStatus[]): Assertion =>
  function* (trace) {
    const knowledge = knowledgeOf(trace)
    for (const call of trace.calls(operation)) {
      const names = namesIn(call)
      const status = knowledge.findLast(
        (each) =>
          isSame(each.names, names) &&
          each.seq < call.exchange.seq &&
          each.at <= call.exchange.startedAt,
      )?.status
      if (status !== undefined)
        yield observation(
          [call],
          !allowed.includes(status) &&
            `it calls ${operation} although it was told that the account is ${status}`,
        )
    }
  }

/** Calls that change an account. */
export const mutations = [
  'preCloseAccount',
  'unlockAccount',
  'closeAccount',
  'cancelAccountItem',
  'transferAccountContent',
  'createPayment',
  'requestFiscalDocument',
] as const satisfies readonly OperationId[]

export const isSameAccount = (one: Observed, other: Observed): boolean =>
  isSame(namesIn(one), namesIn(other))
