/**
 * Learns what was redacted in its own place, so that it is replaced wherever else it stands. The rule by class: secrets
 * that are distinctive; e-mail addresses; telephone, card and document numbers of ten digits or more. Names, addresses,
 * codes and free text are redacted in their own place only.
 */
import { textFromBase64 } from './base64.ts'
import type { RedactionClassId } from './class.ts'
import { digitsOf } from './digits.ts'
import { isDistinctive, type SecretEvidence } from './distinctive.ts'
import type { KnownValues } from './known-values.ts'

export interface RedactedValue {
  readonly id: RedactionClassId
  readonly value: string
  readonly replacement: string
  readonly evidence: SecretEvidence
}

const minNumberDigits = 10

const scheme = /^(?:Bearer|Basic|Digest|Token) +/i

/** A credential without its scheme. */
export function splitScheme(value: string): readonly [scheme: string, bare: string] {
  const found = scheme.exec(value)?.[0] ?? ''
  return [found, value.slice(found.length)]
}

const secretIds: ReadonlySet<RedactionClassId> = new Set(['token', 'secret'])
const personalIds: ReadonlySet<RedactionClassId> = new Set([
  'email',
  'phone',
  'document',
  'card',
  'pix',
  'contact',
])

/** The same replacement as in the place where the secret was redacted first, whatever its class there. */
export function knownReplacement(
  known: KnownValues,
  id: RedactionClassId,
  value: string,
): string | undefined {
  if (!secretIds.has(id)) return undefined
  const [before, bare] = splitScheme(value)
  const replacement = known.replacementOf(bare)
  return replacement === undefined ? undefined : before + replacement
}

/** The password of basic credentials (`user:password`); the user stays. */
export function passwordOf(value: string): string | undefined {
  const [before, bare] = splitScheme(value)
  const login = /^basic/i.test(before) ? textFromBase64(bare) : undefined
  const colon = login?.indexOf(':') ?? -1
  return colon < 0 ? undefined : login?.slice(colon + 1)
}

function learnSecret(
  known: KnownValues,
  { id, value, replacement, evidence }: RedactedValue,
): void {
  const [before, bare] = splitScheme(value)
  if (!known.has('secret', bare) && isDistinctive(bare, evidence))
    known.learn('secret', { id, value: bare, replacement: replacement.slice(before.length) })
}

/** A signature may have its algorithm, version or time in front: `sha256=…`, `t=1795176000,v1=…`. */
function learnSignature(known: KnownValues, { id, value, replacement }: RedactedValue): void {
  for (const part of new Set([value, ...value.split(/[=,;\s]+/)]))
    if (!known.has('signature', part) && isDistinctive(part, 'placed'))
      known.learn('signature', { id, value: part, replacement })
}

/** The digits alone, and those of a Brazilian telephone number without its country. */
const digitForms = (id: RedactionClassId, value: string): readonly string[] => {
  const digits = digitsOf(value)
  return id === 'phone' && /^55\d{10,11}$/.test(digits) ? [digits, digits.slice(2)] : [digits]
}

function learnPersonal(known: KnownValues, { id, value, replacement }: RedactedValue): void {
  const isAddress = value.includes('@')
  if (!isAddress && digitsOf(value).length < minNumberDigits) return
  known.learn('personal', { id, value, replacement })
  if (isAddress || /[a-z]/i.test(value)) return
  const next = digitForms(id, replacement)
  for (const [index, form] of digitForms(id, value).entries())
    known.learn('personal', {
      id,
      value: form,
      replacement: next[index]?.length === form.length ? next[index] : replacement,
    })
}

export function learnRedacted(known: KnownValues, redacted: RedactedValue): void {
  const { id } = redacted
  if (secretIds.has(id)) learnSecret(known, redacted)
  else if (id === 'signature') learnSignature(known, redacted)
  else if (personalIds.has(id)) learnPersonal(known, redacted)
}

/** Words in the names of cookies and headers that hold credentials. */
const namesOfSecrets =
  /sess|^sid$|[._-]sid$|auth|token|jwt|[cx]srf|secret|passw|cred|login|remember|access|refresh|ticket|api|private|signing|subscription|master/i

export const evidenceOfName = (name: string): SecretEvidence =>
  namesOfSecrets.test(name.trim()) ? 'named' : 'placed'
