/** The rows of operations behind exchanges, and whether a host serves them. */
import { operation } from '../../../core/protocol/catalogue.ts'
import type { Operation } from '../../../core/protocol/operation.ts'
import type { Observed } from '../../judge/trace.ts'

export const rowOf = ({ operation: id }: Observed): Operation | undefined => id && operation(id)

const unserved: ReadonlySet<number> = new Set([404, 405, 501])

/** The status of a path or a method that a host may not have. */
export const isUnserved = ({ status }: Pick<Observed, 'status'>): boolean => unserved.has(status)
