/**
 * By what a service recognises a customer of ours: document, phone, e-mail. They are fresh in each replay, as ids are, or
 * a CRM that keeps running would merge each customer with that of the replay before.
 */
import { operation as rowOf } from '../../../core/protocol/catalogue.ts'
import { isUnknownRecord, type UnknownRecord } from '../../../core/protocol/unknown-record.ts'
import { fingerprint, generateSameShape } from '../../../core/traffic/entities/identifier-shapes.ts'
import type { Exchange, Party } from '../../../core/traffic/exchange.ts'
import { tryParseJson } from '../../../core/traffic/json/try-parse-json.ts'
import { document } from '../../../core/traffic/redaction/classes/documents.ts'
import { email } from '../../../core/traffic/redaction/classes/emails.ts'
import { phone } from '../../../core/traffic/redaction/classes/phones.ts'
import { createPseudonyms, isPlaceholder } from '../../../core/traffic/redaction/pseudonyms.ts'
import { isList } from '../../../core/traffic/recording/json.ts'

/** How those of each type are replaced; those of another system by others of the same shape. */
const classes = { document, phone, email, external_id: undefined, custom: undefined } as const
type ContactType = keyof typeof classes

const isContactType = (type: unknown): type is ContactType =>
  typeof type === 'string' && Object.hasOwn(classes, type)

type AddContact = (type: unknown, value: unknown) => void

/** Contacts of one record: `{"identifier":{"type":"phone","value":"…"},"contacts":{"email":"…"}}`. */
function addRecord(record: UnknownRecord, add: AddContact): void {
  const { id, identifier, contacts, externalIds } = record
  const addTyped = (each: unknown): void => {
    if (isUnknownRecord(each)) add(each['type'], each['value'])
  }
  addTyped(identifier)
  if (isList(contacts)) for (const each of contacts) addTyped(each)
  else if (isUnknownRecord(contacts)) for (const each of Object.entries(contacts)) add(...each)
  add('document', record['document'])
  for (const each of isList(externalIds) ? externalIds : []) {
    const value: unknown = isUnknownRecord(each) ? (each['value'] ?? each['key']) : each
    // `app:` and the id of the customer is fresh with that.
    if (!String(value).includes(String(id))) add('external_id', value)
  }
}

function addAll(body: unknown, add: AddContact): void {
  if (isList(body)) for (const each of body) addAll(each, add)
  if (!isUnknownRecord(body)) return
  if (isUnknownRecord(body['identifier'])) addRecord(body, add)
  else for (const each of Object.values(body)) addAll(each, add)
}

/** Contacts that we are the first to write, with their type. */
function contactsIn(exchanges: readonly Exchange[], ours: (party: Party) => boolean) {
  const first = new Map<string, { readonly type: ContactType; readonly isOurs: boolean }>()
  for (const { operation, from, to, request, reply } of exchanges) {
    if (operation === undefined || rowOf(operation).capability !== 'customer') continue
    for (const [writer, body] of [
      [from, request.body],
      [to, reply?.body],
    ] as const)
      addAll(tryParseJson(body), (type, value) => {
        if (isContactType(type) && typeof value === 'string' && value !== '' && !first.has(value))
          first.set(value, { type, isOurs: ours(writer) && ours(from) !== ours(to) })
      })
  }
  return [...first].filter(([, { isOurs }]) => isOurs)
}

/** From recorded to live value. */
export function freshContacts(
  exchanges: readonly Exchange[],
  ours: (party: Party) => boolean,
  seed: number,
): ReadonlyMap<string, string> {
  const pseudonyms = createPseudonyms((text) =>
    fingerprint(`${seed} ${text}`)
      .split(' ')
      .map((part) => Number(part).toString(16).padStart(8, '0'))
      .join(''),
  )
  const tools = { pseudonyms, claims: (text: string) => text, isAnew: true } as const
  return new Map(
    contactsIn(exchanges, ours).map(([value, { type }]) => {
      const replaced = isPlaceholder(value) ? value : classes[type]?.replace(value, tools)
      const isFresh = replaced !== undefined && replaced !== value
      return [value, isFresh ? replaced : generateSameShape(value, seed, 'contact')]
    }),
  )
}

const word = /[\w+][\w.+@-]{6,}\w/g

/** A text with other contacts: as a whole, or in a sentence such as `no customer 52998224725`. */
export function replaceContacts(
  text: string,
  others: ReadonlyMap<string, string>,
): string | undefined {
  const next = others.get(text) ?? text.replaceAll(word, (each) => others.get(each) ?? each)
  return next === text ? undefined : next
}
