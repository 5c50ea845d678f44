/** How messages name the account that they are about. */
import { isUnknownRecord } from '../../../protocol/unknown-record.ts'
import type { Observed } from '../trace.ts'

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

export const hasSameNames = (one: AccountNames, other: AccountNames): boolean =>
  one.accountId !== undefined && other.accountId !== undefined
    ? one.accountId === other.accountId
    : one.identifier !== undefined &&
      one.identifier === other.identifier &&
      one.operationMode === other.operationMode

export const isSameAccount = (one: Observed, other: Observed): boolean =>
  hasSameNames(namesIn(one), namesIn(other))
