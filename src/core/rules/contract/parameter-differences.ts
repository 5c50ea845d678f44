/** Compares the parameters of a request with those of an operation: in path, query, headers and cookies. */
import { headerIn } from '../invariants/judge/retained-exchange.ts'
import { isRedactedHeader, redactedPlaces } from '../../traffic/redaction/redacted-places.ts'
import type { Contract } from './contract.ts'
import {
  addAll,
  asFound,
  type ComparedMessage,
  type FoundDifference,
  noneFound,
} from './contract-difference.ts'
import type { ContractParameter } from './contract-operations.ts'
import {
  cookieValue,
  type ParsedQuery,
  ownsQueryName,
  parseQuery,
  queryValue,
  simpleValue,
} from './parameter-values.ts'

function queryTextOf(url: string): string {
  const at = url.indexOf('?')
  return at === -1 ? '' : (url.slice(at + 1).split('#')[0] ?? '')
}

export function parameterDifferences(
  contract: Contract,
  parameter: ContractParameter,
  value: unknown,
  isRedacted: boolean,
): readonly FoundDifference[] {
  const { name, in: place, required, location, schema, isJson } = parameter
  const where = `${place} parameter ${name}`
  if (value === undefined)
    return required
      ? [{ place: where, text: 'is missing, and the contract requires it', demand: location }]
      : []
  if (!schema || isRedacted) return []
  let read = value
  if (isJson && typeof value === 'string')
    try {
      read = JSON.parse(value)
    } catch {
      return [{ place: where, text: 'expected JSON', demand: location }]
    }
  const mismatches = contract.validators.check(isJson ? 'request' : 'text', schema, read)
  return mismatches.length === 0
    ? noneFound
    : mismatches.map((mismatch) => asFound(mismatch, where))
}

function parameterValue(
  parameter: ContractParameter,
  { exchange: { request }, values }: ComparedMessage,
  query: ParsedQuery,
): unknown {
  const { name } = parameter
  switch (parameter.in) {
    case 'path': {
      const value = values.get(name)
      return value === undefined ? undefined : simpleValue(value, parameter)
    }
    case 'query':
      return queryValue(query, parameter)
    case 'header': {
      const value = headerIn(request.headers, parameter.lowerName)
      return value === undefined ? undefined : simpleValue(value, parameter)
    }
    default:
      return cookieValue(headerIn(request.headers, 'cookie'), name)
  }
}

/** Whether redaction has replaced the value of a parameter, or a part of it. */
function isRedactedParameter(
  { in: place, name, lowerName, shape }: ContractParameter,
  { exchange: { redactions } }: ComparedMessage,
): boolean {
  if (!redactions) return false
  if (place === 'header' || place === 'cookie')
    return isRedactedHeader(redactions, 'q', place === 'header' ? lowerName : 'cookie')
  const places = redactedPlaces(redactions, 'q.url')
  const pointer = place === 'path' ? '' : `/${name}`
  return places !== undefined && (shape === 'object' ? places.within('') : places.has(pointer))
}

function unknownNames(
  { contract, operation, exchange }: ComparedMessage,
  query: ParsedQuery,
): readonly FoundDifference[] {
  if (query.size === 0 || redactedPlaces(exchange.redactions, 'q.url')?.hasNames) return noneFound
  return [...query.keys()]
    .filter(
      (name) =>
        !contract.credentialNames.has(name) &&
        !operation.query.some((parameter) => ownsQueryName(name, parameter)),
    )
    .map((name) => ({
      place: `query parameter ${name}`,
      text: 'is no parameter that the contract has',
      demand: operation.location,
      isAdvice: true,
    }))
}

/** Adds what differs in the parameters of a request. */
export function addParameterDifferences(message: ComparedMessage, found: FoundDifference[]): void {
  const { contract, operation, exchange } = message
  const query = parseQuery(queryTextOf(exchange.request.url))
  for (const parameter of operation.parameters) {
    const value = parameterValue(parameter, message, query)
    if (value !== undefined || parameter.required) {
      const isRedacted = isRedactedParameter(parameter, message)
      addAll(found, parameterDifferences(contract, parameter, value, isRedacted))
    }
  }
  addAll(found, unknownNames(message, query))
}
