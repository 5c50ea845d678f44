/** Mistakes in the path or the method of a request: what was probably meant, and where it is. */
import { findClosestName } from '../../../protocol/closest-name.ts'
import { basePathOf } from '../../../protocol/dialects/settings.ts'
import { featureSwitchOf, pathsAtHost } from '../../../protocol/operation.ts'
import { type Role, roles } from '../../../protocol/role.ts'
import { firstFew, type Mistake } from '../mistake.ts'
import { type RefusedRequest, theRole } from './refused-request.ts'
import { compact } from '../../../base/compact.ts'
import {
  type CatalogueRow,
  operationsHostedBy,
  operationsHostedInDialect,
} from '../../../protocol/catalogue.ts'
import type { Conduct } from '../../../protocol/conduct.ts'
import { dialects } from '../../../protocol/dialects/catalogue.ts'
import { pathOverrideOf, pathsInDialect, writtenPath } from '../../../protocol/dialects/paths.ts'
import type { Settings } from '../../../engine/settings.ts'

/**
 * The paths that operations have at a host, in this session's dialect and in all others: what a wrong path is compared
 * with.
 */
interface KnownPath {
  readonly row: CatalogueRow
  readonly host: Role
  /** A template with `{name}` for each parameter. */
  readonly path: string
  /** The same as it is written on the wire. */
  readonly written: string
}

/** `GET /events:polling` */
const pathText = ({ row, written }: KnownPath): string => `${row.method} ${written}`

const segmentsOf = (path: string): readonly string[] => path.split('/').slice(1)

const isParameter = (segment: string): boolean => segment.startsWith('{') && segment.endsWith('}')

/** Whether a path is one of a template's; a parameter takes any segment but an empty one. */
function fitsTemplate(template: string, path: string): boolean {
  const wanted = segmentsOf(template)
  const found = segmentsOf(path)
  return (
    wanted.length === found.length &&
    wanted.every((segment, index) =>
      isParameter(segment) ? found[index] !== '' : segment === found[index],
    )
  )
}

/** A template with its parameters as the path has them, where it has as many segments: for comparing by spelling. */
function filledTemplate(template: string, path: string): string {
  const found = segmentsOf(path)
  const wanted = segmentsOf(template)
  if (wanted.length !== found.length) return template
  return wanted
    .map((segment, index) => `/${isParameter(segment) ? found[index] : segment}`)
    .join('')
}

const knownPaths = (
  rows: readonly CatalogueRow[],
  host: Role,
  conduct: Conduct,
): readonly KnownPath[] =>
  rows.flatMap((row) =>
    pathsInDialect(row, host, conduct).map((path) => ({
      row,
      host,
      path,
      written: writtenPath(path, conduct),
    })),
  )

/** The dialect of the specification itself, as `speaks` names it. */
const specification = 'v2'

interface PathsOfSession {
  /** By host, whether served in this session or not. */
  readonly byHost: ReadonlyMap<Role, readonly KnownPath[]>
  readonly byDialect: readonly { readonly name: string; readonly paths: readonly KnownPath[] }[]
}

function pathsOfSession({ conduct }: Settings): PathsOfSession {
  const plain: Conduct = {
    ...conduct,
    speaks: 'v2',
    basePath: undefined,
    paths: {},
    colon: 'literal',
    furtherOperations: [],
  }
  const inDialect = (of: Conduct) =>
    roles.flatMap((host) => knownPaths(operationsHostedInDialect(host, of), host, of))
  return {
    byHost: new Map(
      roles.map((host) => [
        host,
        knownPaths(
          [...new Set([...operationsHostedInDialect(host, conduct), ...webhooksAt(host)])],
          host,
          conduct,
        ),
      ]),
    ),
    byDialect: [
      { name: specification, paths: inDialect(plain) },
      ...dialects.map(
        ({ name, conduct: { speaks, basePath, paths, colon, furtherOperations } }) => ({
          name,
          // Which operations there are, and where, is decided by these alone.
          paths: inDialect({
            ...plain,
            ...compact({ speaks, basePath, paths, colon, furtherOperations }),
          }),
        }),
      ),
    ],
  }
}

const webhooksAt = (host: Role): readonly CatalogueRow[] =>
  operationsHostedBy(host).filter(({ webhook }) => webhook !== undefined)

/** By session: requests to an unknown path come again and again. */
const cache = new WeakMap<Settings, PathsOfSession>()

function cachedPaths(settings: Settings): PathsOfSession {
  const cached = cache.get(settings)
  if (cached) return cached
  const paths = pathsOfSession(settings)
  cache.set(settings, paths)
  return paths
}

/** The paths of a role in this session's dialect, served in this session or not. */
const pathsAt = (host: Role, settings: Settings): readonly KnownPath[] =>
  cachedPaths(settings).byHost.get(host) ?? []

/** The first dialect in which a request is an operation of this host, other than the session's own, and which it is. */
function dialectOf(
  host: Role,
  method: string,
  path: string,
  settings: Settings,
): { readonly name: string; readonly row: CatalogueRow } | undefined {
  for (const { name, paths } of cachedPaths(settings).byDialect) {
    const found = paths.find(
      (each) => each.host === host && each.row.method === method && fitsTemplate(each.path, path),
    )
    if (found) return { name, row: found.row }
  }
  return undefined
}

/** A request without a route. */
type Stray = Pick<RefusedRequest, 'host' | 'method' | 'path' | 'served' | 'settings' | 'urlOf'>

const maxPathChars = 200

/** The paths that are served here, now. */
const servedPaths = ({ host, served, settings }: Stray): readonly KnownPath[] => {
  const ids = new Set(served.map(({ id }) => id))
  return pathsAt(host, settings).filter(({ row }) => ids.has(row.id))
}

const hasMethod =
  ({ method }: Stray) =>
  ({ row }: KnownPath): boolean =>
    row.method === method

/** The first of the paths that fit, the one with the request's own method before all others. */
function fitting(
  request: Stray,
  paths: readonly KnownPath[],
  path = request.path,
): KnownPath | undefined {
  const all = paths.filter((each) => fitsTemplate(each.path, path))
  return all.find(hasMethod(request)) ?? all[0]
}

interface Spelling {
  readonly what: string
  readonly differs: (path: string) => boolean
  readonly corrected: (path: string) => string
}

/** Ways to write a path wrongly; each is corrected on top of those before it. */
const spellings: readonly Spelling[] = [
  {
    what: 'two slashes in a row',
    differs: (path) => path.includes('//'),
    corrected: (path) => path.replaceAll(/\/{2,}/g, '/'),
  },
  {
    what: 'a slash at its end',
    differs: (path) => /.\/$/.test(path),
    corrected: (path) => path.replace(/\/+$/, ''),
  },
  {
    what: 'blanks at its end',
    differs: (path) => /(?:%20|\+|\s)+$/.test(path),
    corrected: (path) => path.replace(/(?:%20|\+|\s)+$/, ''),
  },
]

const withSpelling = (path: string): string =>
  spellings.reduce((text, { corrected }) => corrected(text), path)

/** What the path is with the base path of this session's dialect, which it lacks. */
function withPrefix(request: Stray): KnownPath | undefined {
  const prefix = basePathOf(request.settings.conduct)
  if (prefix === '') return undefined
  return fitting(request, servedPaths(request), `${prefix}${withSpelling(request.path)}`)
}

/** The path without the first segments that belong to no operation, and what these are. */
function withoutPrefix(
  request: Stray,
  path: string,
): { readonly meant: KnownPath; readonly prefix: string } | undefined {
  for (let start = path.indexOf('/', 1); start > 0; start = path.indexOf('/', start + 1)) {
    const meant = fitting(request, servedPaths(request), path.slice(start))
    if (meant) return { meant, prefix: path.slice(0, start) }
  }
  return undefined
}

/** An operation that this session serves elsewhere, asked for at its path in the specification, under any prefix. */
function movedFrom(request: Stray): KnownPath | undefined {
  const { host, method, settings } = request
  const path = withSpelling(request.path)
  const moved = servedPaths(request).filter(
    ({ row }) => row.method === method && pathOverrideOf(row, settings.conduct) !== undefined,
  )
  for (let start = 0; start >= 0; start = path.indexOf('/', start + 1)) {
    const rest = path.slice(start)
    const meant = moved.find(({ row }) =>
      pathsAtHost(row, host).some((template) => fitsTemplate(template, rest)),
    )
    if (meant) return meant
  }
  return undefined
}

/** The token endpoint, where a path looks like one. */
const tokenPath = (request: Stray): KnownPath | undefined =>
  request.method === 'POST' && /(?:^|[/_-])(?:tokens?|login|authenticate)\/*$/i.test(request.path)
    ? servedPaths(request).find(({ row }) => row.id === 'issueToken')
    : undefined

/** Why an operation of this host is not served in this session, and how it is. */
function whyWithheld({ row }: KnownPath, { settings }: Stray): string {
  const feature = featureSwitchOf(row)
  if (feature !== undefined && settings.switchedOff.has(feature))
    return `${feature} is off in this session: set capabilities.${feature}: true in the configuration`
  if (row.webhook === 'orders')
    return 'this session delivers events by polling: start it with --channel webhook'
  if (row.id === 'pollingEvents' || row.id === 'acknowledgeEvents' || row.id.endsWith('EventsV1'))
    return 'this session delivers events by webhook: start it with --channel polling, or both'
  return 'the configuration of this session withholds it (conduct.withheldOperations, counterparts.crm.mode)'
}

/** What is served here under the same last segment, such as the pages that a CRM pulls. */
function sameEnd(request: Stray): KnownPath | undefined {
  const end = segmentsOf(withSpelling(request.path)).at(-1)
  return servedPaths(request).find(
    (each) => hasMethod(request)(each) && segmentsOf(each.path).at(-1) === end,
  )
}

/** `POST, not GET`, where only the method is wrong. */
const otherMethod = (meant: KnownPath, { method }: Stray): string =>
  meant.row.method === method ? '' : `, with ${meant.row.method} instead of ${method}`

/** The name of a dialect as people say it. */
const dialectText = (name: string): string =>
  name === 'v1' || name === 'v2' ? name.toUpperCase() : `the dialect ${name}`

export const unknownPathMistakes: readonly Mistake<Stray>[] = [
  {
    name: 'colon-not-encoded',
    lineFor: (request) => {
      const { settings, path } = request
      if (settings.conduct.colon !== 'encoded' || !path.includes(':')) return undefined
      return `this partner takes the colon of a path as %3A only; send ${writtenPath(path, { colon: 'encoded' }).slice(0, maxPathChars)}`
    },
  },
  {
    name: 'wrong-method',
    clauses: ['TRN-CON-04'],
    lineFor: (request) => {
      const meant = fitting(request, servedPaths(request))
      return meant && `send ${pathText(meant)}, not ${request.method}`
    },
  },
  {
    name: 'spelled-otherwise',
    lineFor: (request) => {
      const path = withSpelling(request.path)
      const paths = servedPaths(request)
      const meant =
        fitting(request, paths, path) ??
        paths.find(
          (each) =>
            hasMethod(request)(each) &&
            filledTemplate(each.path, path).toLowerCase() === path.toLowerCase(),
        )
      if (!meant) return undefined
      const wrong = spellings.filter(({ differs }) => differs(request.path))
      const words = wrong.map(({ what }) => what)
      const what =
        words.length > 0 ? `has ${words.join(' and ')}` : 'differs in upper and lower case'
      return `unknown here; did you mean ${pathText(meant)}? The path ${what}`
    },
  },
  {
    name: 'not-served-now',
    lineFor: (request) => {
      const meant = fitting(request, pathsAt(request.host, request.settings))
      return meant && `not served: ${whyWithheld(meant, request)}`
    },
  },
  {
    name: 'creates-an-order',
    clauses: ['ORD-GEN-03'],
    lineFor: ({ method, path }) =>
      method === 'POST' && /\/orders\/?$/.test(path) && !path.includes('webhook')
        ? 'no operation of the protocol creates an order; sparring orders create does'
        : undefined,
  },
  {
    name: 'moved',
    lineFor: (request) => {
      const meant = movedFrom(request)
      return (
        meant &&
        `unknown here; did you mean ${pathText(meant)}? That is its path in this session (conduct.paths.${meant.row.id})`
      )
    },
  },
  {
    name: 'at-another-role',
    lineFor: (request) => {
      const { host, settings, urlOf } = request
      for (const role of roles.filter((each) => each !== host)) {
        const meant = fitting(request, pathsAt(role, settings).filter(hasMethod(request)))
        if (!meant) continue
        const where = settings.roles.includes(role)
          ? `${theRole(role)}, at ${urlOf(role)}`
          : `${theRole(role)}, which ${role === settings.subject ? 'your service plays' : 'no service plays'}`
        const here = sameEnd(request)
        const instead = here ? `, which serves ${pathText(here)}` : ''
        return `an operation of ${where}; this is ${theRole(host)}${instead}`
      }
      return undefined
    },
  },
  {
    name: 'another-dialect',
    lineFor: (request) => {
      const { host, method, settings } = request
      const path = withSpelling(request.path)
      const found = dialectOf(host, method, path, settings)
      if (found === undefined) return undefined
      const { name, row } = found
      const here =
        withPrefix(request) ??
        withoutPrefix(request, path)?.meant ??
        servedPaths(request).find((each) => each.row.id === row.id)
      const instead = here ? `, or send ${pathText(here)}` : ''
      const how = name === 'v2' ? 'start without --dialect' : `start with --dialect ${name}`
      return `looks like ${dialectText(name)}: ${how}${instead}`
    },
  },
  {
    name: 'base-path-missing',
    lineFor: (request) => {
      const meant = withPrefix(request)
      return (
        meant &&
        `unknown here; did you mean ${pathText(meant)}${otherMethod(meant, request)}? The base URL is ${request.urlOf(request.host)}${basePathOf(request.settings.conduct)}`
      )
    },
  },
  {
    name: 'token-elsewhere',
    lineFor: (request) => {
      const meant = tokenPath(request)
      return meant && `unknown here; did you mean ${pathText(meant)}? Tokens are issued there`
    },
  },
  {
    name: 'base-path-too-long',
    lineFor: (request) => {
      const found = withoutPrefix(request, withSpelling(request.path))
      if (!found) return undefined
      const { meant, prefix } = found
      return `unknown here; did you mean ${pathText(meant)}${otherMethod(meant, request)}? Leave out ${prefix}: the base URL is ${request.urlOf(request.host)}`
    },
  },
  {
    name: 'misspelled',
    lineFor: (request) => {
      const path = withSpelling(request.path).slice(0, maxPathChars)
      const paths = servedPaths(request)
      const sameMethod = paths.filter(hasMethod(request))
      for (const known of [sameMethod, paths]) {
        const byText = new Map(known.map((each) => [filledTemplate(each.path, path), each]))
        const closest = findClosestName(path, [...byText.keys()])
        const meant = byText.get(closest ?? '') ?? sameEnd(request)
        if (meant) return `unknown here; did you mean ${pathText(meant)}?`
      }
      return undefined
    },
  },
  {
    name: 'unknown-path',
    lineFor: (request) => {
      const all = servedPaths(request).filter(({ row }) => row.capability === 'orders')
      const known = (all.length > 0 ? all : servedPaths(request)).map(pathText)
      return `unknown here; ${theRole(request.host)} serves ${firstFew(known, 3)} (all of them: sparring list operations)`
    },
  },
]
