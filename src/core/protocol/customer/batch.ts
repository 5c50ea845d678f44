/**
 * The body of an ingest: one record or several, in every shape of documents and field (CUS-UND-05, LIM-UND-01, fields.md
 * C11, C12): under the singular key, the plural key or `items`, as an array, or bare. An invalid record is reported by its
 * path in the original body.
 */
import { z } from 'zod'
import { isUnknownRecord } from '../unknown-record.ts'
import type { CustomerConduct } from './conduct.ts'

export interface BatchKeys {
  /** The key of a single record. */
  readonly one: string
  /** The key of several records. */
  readonly many: string
  /** Records have a field `items` of their own: `items` is a batch only if no other record field is beside it. */
  readonly hasItems?: true
}

type Path = readonly (string | number)[]

interface Located {
  readonly values: readonly unknown[]
  readonly pathOf: (index: number) => Path
}

/** Fields allowed beside `items` in a batch. */
const besideItems: ReadonlySet<string> = new Set(['items', 'metadata', 'page', 'pageSize', 'total'])

const isItemsBatch = (value: Readonly<Record<string, unknown>>, { hasItems }: BatchKeys): boolean =>
  Array.isArray(value['items']) &&
  (hasItems === undefined || Object.keys(value).every((key) => besideItems.has(key)))

const listAt = (values: unknown, ...path: Path): Located | Path =>
  Array.isArray(values)
    ? { values: values as readonly unknown[], pathOf: (index) => [...path, index] }
    : path

/** Locates the records in a body; returns only a path if it finds something else there. */
function locate(body: unknown, keys: BatchKeys): Located | Path {
  if (Array.isArray(body)) return listAt(body)
  if (!isUnknownRecord(body)) return []
  const single = body[keys.one]
  if (single !== undefined) {
    if (Array.isArray(single)) return listAt(single, keys.one)
    return isUnknownRecord(single) ? { values: [single], pathOf: () => [keys.one] } : [keys.one]
  }
  if (body[keys.many] !== undefined) return listAt(body[keys.many], keys.many)
  if (isItemsBatch(body, keys)) return listAt(body['items'], 'items')
  if (Object.keys(body).length === 0) return [keys.one]
  return { values: [body], pathOf: () => [] }
}

const isPath = (found: Located | Path): found is Path => Array.isArray(found)

/** The records of a body of any shape, each with its path; none where something else is there. */
export function recordsOfBatch(
  body: unknown,
  keys: BatchKeys,
): readonly { readonly path: Path; readonly value: unknown }[] {
  const found = locate(body, keys)
  return isPath(found)
    ? []
    : found.values.map((value, index) => ({ path: found.pathOf(index), value }))
}

/** Schema that reads the records of an ingest body; at least one. */
export const batchOf = <Record extends z.ZodType>(record: Record, keys: BatchKeys) =>
  z.unknown().transform((body, context): readonly z.output<Record>[] => {
    const wrong = (path: Path, message: string): never => {
      context.issues.push({ code: 'custom', input: body, path: [...path], message })
      return z.NEVER
    }
    const found = locate(body, keys)
    if (isPath(found))
      return wrong(found, `send {"${keys.one}": {…}}, {"${keys.many}": […]} or {"items": […]}`)
    if (found.values.length === 0) return wrong([keys.many], 'there is nothing in it')
    const items: z.output<Record>[] = []
    for (const [index, value] of found.values.entries()) {
      const parsed = record.safeParse(value)
      if (parsed.success) items.push(parsed.data)
      else {
        for (const issue of parsed.error.issues)
          context.issues.push({
            ...issue,
            input: body,
            path: [...found.pathOf(index), ...issue.path],
          } as z.core.$ZodRawIssue)
        return z.NEVER
      }
    }
    return items
  })

/** Schema of all accepted body shapes for the API documentation. */
export const documentedBatchOf = (record: z.ZodType, { one, many }: BatchKeys): z.ZodType =>
  z.union([
    z.looseObject({ [one]: record }),
    z.looseObject({ [many]: z.array(record).min(1) }),
    z.looseObject({ items: z.array(record).min(1) }),
    z.array(record).min(1),
    record,
  ])

/** The body of an ingest that we send, in the configured shape. */
export function ingestBodyOf(
  records: readonly unknown[],
  { one, many }: BatchKeys,
  { wrapper, batch }: Pick<CustomerConduct, 'wrapper' | 'batch'>,
): unknown {
  const [first] = records
  if (records.length === 1 && wrapper !== 'batch')
    return wrapper === 'wrapped' ? { [one]: first } : first
  if (batch === 'array') return records
  return { [batch === 'items' ? 'items' : many]: records }
}

/** The four kinds of exchanged records, and their body keys. */
export const batchKeys = {
  customer: { one: 'customer', many: 'customers' },
  lead: { one: 'lead', many: 'leads' },
  order: { one: 'order', many: 'orders', hasItems: true },
  review: { one: 'review', many: 'reviews' },
} as const satisfies Readonly<{ [key: string]: BatchKeys }>
export type RecordKind = keyof typeof batchKeys
export const recordKinds = ['customer', 'lead', 'order', 'review'] as const

/** A number of records in words: `1 customer`, `2 leads`. */
export const recordCount = (count: number, entity: RecordKind): string =>
  `${count} ${count === 1 ? batchKeys[entity].one : batchKeys[entity].many}`
