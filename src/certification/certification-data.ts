/** Ids that exist at the service to be certified: a file for a service whose data is not ours. */
import { z } from 'zod'
import { strictObject } from '../lazy-object.ts'

const Ids = (what: string) =>
  z.array(z.string().min(1)).max(100).default([]).describe(`${what} that exist at the service`)

/** `--data <file>`: merchants, whose deliveries and accounts are made, and free tables; ours for a list that is empty. */
export const CertificationData = strictObject(() => ({
  merchants: Ids('ids of merchants'),
  tables: Ids('identifiers of free tables, tabs or rooms'),
}))
export type CertificationData = z.output<typeof CertificationData>
