import { expect, test } from 'vitest'
import { redactionClasses } from './catalogue.ts'
import { classForKey, keyMeaningOf } from './keys.ts'

const classOfKey = (key: string, where = {}, value = 'some text') =>
  classForKey(keyMeaningOf(key), value, where)?.id

test('every spelling of a key has one meaning', () => {
  for (const key of ['client_secret', 'clientSecret', 'Client-Secret', 'CLIENTSECRET'])
    expect(classOfKey(key)).toBe('secret')
  expect(classOfKey('endereço')).toBe('address')
})

test('a class is found by the ending of a key, the longest first', () => {
  expect(classOfKey('customerPhoneNumber')).toBe('phone')
  expect(classOfKey('pushToken')).toBe('token')
  expect(classOfKey('ipAddress')).toBe('network')
  expect(classOfKey('deliveryAddress')).toBe('address')
  expect(classOfKey('waiterName')).toBe('name')
  expect(classOfKey('imageBase64')).toBe('binary')
})

test('a name is a person’s only in an object about a person', () => {
  expect(classOfKey('name', { person: true })).toBe('name')
  expect(classOfKey('name', { person: false })).toBeUndefined()
  expect(classOfKey('merchantName')).toBeUndefined()
  expect(keyMeaningOf('customer').person).toBe(true)
  expect(keyMeaningOf('items').person).toBe(false)
})

test('the class of a number key depends on the object around it', () => {
  expect(classOfKey('number', { place: 'phone' })).toBe('phone')
  expect(classOfKey('number', { place: 'address' })).toBe('address')
  expect(classOfKey('number', { place: 'card' })).toBe('card')
  expect(classOfKey('number')).toBeUndefined()
})

test('protocol keys that resemble secrets have no class', () => {
  for (const key of [
    'token_type',
    'tokenUrl',
    'code',
    'statusCode',
    'discountCode',
    'externalCode',
    'displayId',
    'eventType',
    'expires_in',
    'keyId',
    'city',
    'state',
    'country',
  ])
    expect([key, classOfKey(key)]).toEqual([key, undefined])
})

test('a document number is redacted only in the form of a CPF or CNPJ', () => {
  expect(classOfKey('documentNumber', {}, '000123')).toBeUndefined()
  expect(classOfKey('documentNumber', {}, '12345678900')).toBe('document')
  expect(classOfKey('documentNumber', { person: true }, 'AB123456')).toBe('document')
})

test('every class has a description and a unique id', () => {
  const ids = redactionClasses.map(({ id }) => id)
  expect(new Set(ids).size).toBe(ids.length)
  for (const { covers } of redactionClasses) expect(covers).toMatch(/\w; /)
})
