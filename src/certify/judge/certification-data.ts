/** Ids that exist at the service to be certified: a file for a service whose data is not ours. */
import { z } from 'zod'
import { strictObject } from '../../core/base/lazy-object.ts'

const Ids = (what: string) =>
  z.array(z.string().min(1)).max(100).default([]).describe(`${what} that exist at the service`)

/** `--data <file>`: what exists at the service. For a list that is empty things are made up, or created by calls. */
export const CertificationData = strictObject(() => ({
  merchants: Ids(
    'ids of merchants, whose deliveries, accounts and orders in relationship context are made,',
  ),
  tables: Ids('identifiers of free tables, tabs or rooms'),
  customers: Ids(
    'ids of customers, whose orders, leads, reviews, consents and points are changed,',
  ),
  programs: Ids('ids of loyalty programs, in which these customers have their accounts,'),
  coupons: Ids('codes of coupons, which these customers may use,'),
}))
export type CertificationData = z.output<typeof CertificationData>

/** Why something is skipped that the ids of these lists would make possible. */
export const lacksData = (why: string, ...keys: readonly (keyof CertificationData)[]): string =>
  keys.length === 0 ? why : `${why}: give ${keys.join(' and ')} in --data`
