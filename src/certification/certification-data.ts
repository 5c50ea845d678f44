/** Ids that exist at the service to be certified: a file for a service whose data is not ours. */
import { z } from 'zod'
import { strictObject } from '../lazy-object.ts'

const Ids = (what: string) =>
  z.array(z.string().min(1)).max(100).default([]).describe(`${what} that exist at the service`)

/** `--data <file>`: every list may be empty; what needs an id that is not given is skipped. */
export const CertificationData = strictObject(() => ({
  merchants: Ids('ids of merchants'),
  customers: Ids('identifiers of customers'),
  orders: Ids('ids of orders'),
  coupons: Ids('ids of coupons'),
  programs: Ids('ids of loyalty programs'),
  tables: Ids('identifiers of free tables, tabs or rooms'),
}))
export type CertificationData = z.output<typeof CertificationData>
