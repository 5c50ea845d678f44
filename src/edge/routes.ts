/** The route index of a role, built once from the rows of the catalogue that it serves in this session. */
import findMyWay from 'find-my-way'
import { type CatalogueRow, hostedBy } from '../protocol/catalogue.ts'
import type { Role } from '../protocol/role.ts'
import type { Settings } from '../engine/settings.ts'

export interface Route {
  readonly row: CatalogueRow
  readonly params: Readonly<Record<string, string>>
}

export interface Routes {
  readonly served: readonly CatalogueRow[]
  /** The route of a path; `'method'` when the path is there with another method. */
  readonly find: (method: string, path: string) => Route | 'method' | undefined
}

/** The rows that a role serves: all of its own, less what the session withholds, webhooks at their configured paths. */
export function servedBy(
  role: Role,
  settings: Settings,
  webhookPath: string,
): readonly CatalogueRow[] {
  return hostedBy(role)
    .filter(
      ({ id, declaredAs, webhook }) =>
        !(settings.conduct.withheldOperations as readonly string[]).includes(declaredAs ?? id) &&
        (!webhook || settings.channels.webhook) &&
        (id !== 'pollingEvents' && id !== 'acknowledgeEvents' ? true : settings.channels.polling),
    )
    .map((row) => (row.webhook ? { ...row, path: webhookPath } : row))
}

/** `{orderId}` becomes `:orderId`, and a colon of the path itself is doubled: the index reads it as a parameter. */
const pattern = (path: string): string => path.replaceAll(':', '::').replaceAll(/\{(\w+)\}/g, ':$1')

export function createRoutes(served: readonly CatalogueRow[]): Routes {
  const index = findMyWay({ maxParamLength: 500, ignoreTrailingSlash: false })
  const stores = new Map<object, CatalogueRow>()
  for (const row of served) {
    const store = {}
    stores.set(store, row)
    index.on(row.method, pattern(row.path), () => undefined, store)
  }
  return {
    served,
    find(method, path) {
      // Some clients write the colon of `/events:polling` as %3A.
      const plain = path.includes('%3') ? path.replaceAll(/%3a/gi, ':') : path
      if (method !== 'GET' && method !== 'POST')
        return index.find('GET', plain) || index.find('POST', plain) ? 'method' : undefined
      const found = index.find(method, plain)
      const row = found ? stores.get(found.store as object) : undefined
      if (row) return { row, params: found?.params as Record<string, string> }
      return index.find(method === 'GET' ? 'POST' : 'GET', plain) ? 'method' : undefined
    },
  }
}
