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

test('a key is read by its words: in either order, in three languages, in one piece', () => {
  for (const [key, id] of [
    ['senhaAtual', 'secret'],
    ['contraseñaNueva', 'secret'],
    ['senhaportal', 'secret'],
    ['chave_de_acesso', 'secret'],
    ['CHAVEDEAPI', 'secret'],
    ['tokenAcesso', 'token'],
    ['tokenacesso', 'token'],
    ['codigo_de_seguridad', 'card'],
    ['codigoRetirada', 'code'],
    ['telefoneCliente', 'phone'],
    ['enderecoEntrega', 'address'],
    ['nombre_del_repartidor', 'name'],
    ['cpfNota', 'document'],
    ['e-mail', 'email'],
  ] as const)
    expect([key, classOfKey(key)]).toEqual([key, id])
})

test('a key that only resembles a word, or says something about it, has no class', () => {
  const names =
    'keyboard monkey passenger compass hashtag accessibility resenha confirma secretaria design tokenId tipoToken ' +
    'validadeSenha primaryKey chaveNFe cookieConsent statusEmail tipoEndereco plate dataValidade'
  for (const key of names.split(' '))
    expect([key, classOfKey(key, {}, '4f9a8b7c6d5e4f3a')]).toEqual([key, undefined])
})

test('`key`, `auth` and the like hold a secret when the value looks like one', () => {
  for (const key of ['key', 'chave', 'clave', 'auth', 'pass', 'assinatura'])
    expect([key, classOfKey(key, {}, 'k3y-8f2a9c4d7e1b')]).toEqual([key, expect.any(String)])
  for (const value of ['size', 'Plano Ouro', 'produto-12', '2026-11-20', '12,50', 'R$ 5', 'v2.1'])
    expect([value, classOfKey('chave', {}, value)]).toEqual([value, undefined])
  const uuid = '7c9e6679-7425-40de-944b-e07fc1f90ae7'
  expect(classOfKey('key', {}, uuid)).toBeUndefined()
  expect(classOfKey('kitchenKey', {}, 'tk_yxMsSHtV8B4U')).toBeUndefined()
  expect(classOfKey('kitchenKey', { isParameter: true }, 'tk_yxMsSHtV8B4U')).toBe('secret')
  expect(classOfKey('key', { isParameter: true }, uuid)).toBe('secret')
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
