/**
 * The route index of a role: the catalogue rows (operations) that it serves in this session, by method and path. A general
 * router takes a tenth of a start to load and to fill; our paths have literal segments, `{orderId}` and `{orderId}:confirm`.
 */
import type { CatalogueRow } from '../../protocol/catalogue.ts'
import { type PathSettings, pathsInDialect } from '../../protocol/dialects/paths.ts'
import { httpMethods } from '../../protocol/operation.ts'
import type { Role } from '../../protocol/role.ts'

type PathParams = Readonly<Record<string, string>>

export interface OperationRoute {
  readonly row: CatalogueRow
  readonly params: PathParams
}

export interface RouteIndex {
  readonly served: readonly CatalogueRow[]
  /** The route of a path; `'method'` when the path is there with another method. */
  readonly find: (method: string, path: string) => OperationRoute | 'method' | undefined
}

/** The routes that share their first segments. */
interface Branch {
  readonly literals: Map<string, Branch>
  readonly parameters: { readonly name: string; readonly suffix: string; readonly next: Branch }[]
  row?: CatalogueRow
}

const newBranch = (): Branch => ({ literals: new Map(), parameters: [] })

function addPath(root: Branch, path: string, row: CatalogueRow): void {
  let branch = root
  for (const segment of path.split('/')) {
    const [, name, suffix = ''] = /^\{(\w+)\}(.*)$/.exec(segment) ?? []
    const { literals, parameters } = branch
    let next =
      name === undefined
        ? literals.get(segment)
        : parameters.find((each) => each.name === name && each.suffix === suffix)?.next
    if (!next) {
      next = newBranch()
      if (name === undefined) literals.set(segment, next)
      else parameters.push({ name, suffix, next })
      // `{orderId}:confirm` is tried before `{orderId}`, which matches all that it does.
      parameters.sort((one, other) => other.suffix.length - one.suffix.length)
    }
    branch = next
  }
  branch.row ??= row
}

/** Characters of a path parameter at most. */
export const maxParameterLength = 500

/** The route below a branch; a literal segment is tried before a parameter. */
function routeBelow(
  branch: Branch,
  segments: readonly string[],
  params: PathParams = {},
): OperationRoute | undefined {
  const [segment, ...rest] = segments
  if (segment === undefined) return branch.row && { row: branch.row, params }
  const literal = branch.literals.get(segment)
  const found = literal && routeBelow(literal, rest, params)
  if (found) return found
  for (const { name, suffix, next } of branch.parameters) {
    if (!segment.endsWith(suffix)) continue
    const value = segment.slice(0, segment.length - suffix.length)
    if (value === '' || value.length > maxParameterLength) continue
    const route = routeBelow(next, rest, { ...params, [name]: value })
    if (route) return route
  }
  return undefined
}

/** The decoded segments of a path; undefined when it is no valid URI. */
function segmentsOf(path: string): readonly string[] | undefined {
  const segments = path.split('/')
  if (!path.includes('%')) return segments
  try {
    return segments.map(decodeURIComponent)
  } catch {
    return undefined
  }
}

export function createRouteIndex(
  role: Role,
  served: readonly CatalogueRow[],
  places: PathSettings,
): RouteIndex {
  const roots = new Map<CatalogueRow['method'], Branch>(
    httpMethods.map((each) => [each, newBranch()]),
  )
  for (const row of served)
    for (const path of pathsInDialect(row, role, places)) {
      const root = roots.get(row.method)
      if (root) addPath(root, path, row)
    }
  return {
    served,
    find(method, path) {
      // Imitates partners whose routers match the colon of a path only as %3A.
      if (places.colon === 'encoded' && path.includes(':')) return undefined
      const segments = segmentsOf(path)
      if (!segments) return undefined
      const known = httpMethods.find((each) => each === method)
      const root = known && roots.get(known)
      return (
        (root && routeBelow(root, segments)) ??
        (Array.from(roots.values()).some((each) => routeBelow(each, segments))
          ? 'method'
          : undefined)
      )
    },
  }
}
