/** The route index of a role, built once from the catalogue rows (operations) that it serves in this session. */
import findMyWay from 'find-my-way'
import type { CatalogueRow } from '../../protocol/catalogue.ts'
import { type PathSettings, pathsInDialect } from '../../protocol/dialects/paths.ts'
import { httpMethods } from '../../protocol/operation.ts'
import type { Role } from '../../protocol/role.ts'

export interface OperationRoute {
  readonly row: CatalogueRow
  readonly params: Readonly<Record<string, string>>
}

export interface RouteIndex {
  readonly served: readonly CatalogueRow[]
  /** The route of a path; `'method'` when the path is there with another method. */
  readonly find: (method: string, path: string) => OperationRoute | 'method' | undefined
}

/** `{orderId}` becomes `:orderId`; a literal colon is doubled, since find-my-way reads one as a parameter. */
const routePattern = (path: string): string =>
  path.replaceAll(':', '::').replaceAll(/\{(\w+)\}/g, ':$1')

export function createRouteIndex(
  role: Role,
  served: readonly CatalogueRow[],
  places: PathSettings,
): RouteIndex {
  const index = findMyWay({ maxParamLength: 500, ignoreTrailingSlash: false })
  const stores = new Map<object, CatalogueRow>()
  for (const row of served) {
    const store = {}
    stores.set(store, row)
    for (const path of pathsInDialect(row, role, places))
      index.on(row.method, routePattern(path), () => undefined, store)
  }
  return {
    served,
    find(method, path) {
      // Imitates partners whose routers match the colon of a path only as %3A.
      if (places.colon === 'encoded' && path.includes(':')) return undefined
      // Some clients write the colon of `/events:polling` as %3A.
      const plain = path.includes('%3') ? path.replaceAll(/%3a/gi, ':') : path
      const known = httpMethods.find((each) => each === method)
      const found = known && index.find(known, plain)
      const row = found ? stores.get(found.store as object) : undefined
      if (row) return { row, params: found?.params as Record<string, string> }
      return httpMethods.some((each) => index.find(each, plain)) ? 'method' : undefined
    },
  }
}
