/** Joins paths to base URLs that may have a query of their own, such as the key of a gateway: `http://host/hook?key=1`. */

interface UrlParts {
  /** Scheme, host and path, without slashes at its end. */
  readonly root: string
  readonly query: string
}

/** A fragment is never sent. */
function partsOf(base: string): UrlParts {
  const [, root = '', query = ''] = /^([^?#]*)(?:\?([^#]*))?/.exec(base) ?? []
  return { root: root.replace(/\/+$/, ''), query }
}

/** A path, with its own query, under a base URL, whose query comes first: `http://host/hook/orders?key=1&page=2`. */
export function joinUrl(base: string, target: string): string {
  const { root, query } = partsOf(base)
  if (query === '') return root + target
  const at = target.indexOf('?')
  if (at < 0) return `${root}${target}?${query}`
  return `${root}${target.slice(0, at)}?${query}&${target.slice(at + 1)}`
}

const nameOf = (parameter: string): string => parameter.split('=', 1)[0] ?? ''

/** Path and query of a URL below a base URL, without what belongs to that; undefined for a URL elsewhere. */
export function pathBelow(base: string, url: string): string | undefined {
  const { root, query } = partsOf(base)
  const rest = url.startsWith(root) ? url.slice(root.length) : undefined
  if (rest === undefined || !/^(?:$|[/?#])/.test(rest)) return undefined
  const at = rest.indexOf('?')
  if (query === '' || at < 0) return rest
  const names = new Set(query.split('&').map(nameOf))
  const own = rest
    .slice(at + 1)
    .split('&')
    .filter((parameter) => !names.has(nameOf(parameter)))
  return own.length === 0 ? rest.slice(0, at) : `${rest.slice(0, at)}?${own.join('&')}`
}
