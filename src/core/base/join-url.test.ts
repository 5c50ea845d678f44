/** Base URLs with a query or a fragment of their own, to which paths are joined, and back. */
import { expect, test } from 'vitest'
import { joinUrl, pathBelow } from './join-url.ts'

test.each([
  ['http://h', '/orders', 'http://h/orders'],
  ['http://h/', '/orders', 'http://h/orders'],
  ['http://h/hook//', '/orders?page=2', 'http://h/hook/orders?page=2'],
  ['http://h/hook?key=abc', '/orders', 'http://h/hook/orders?key=abc'],
  ['http://h/hook/?key=abc', '/orders?page=2', 'http://h/hook/orders?key=abc&page=2'],
  ['http://h?key=a/b', '/orders', 'http://h/orders?key=a/b'],
  ['http://h/hook#part', '/orders', 'http://h/hook/orders'],
  ['http://h/hook?key=1#part', '', 'http://h/hook?key=1'],
  ['http://h/hook?', '/orders?', 'http://h/hook/orders?'],
  ['/api?key=1', '/orders/o1?x=2', '/api/orders/o1?key=1&x=2'],
])('%s and %s make %s', (base, target, joined) => {
  expect(joinUrl(base, target)).toBe(joined)
})

test.each([
  ['http://h/hook', 'http://h/hook/orders?page=2', '/orders?page=2'],
  ['http://h/hook/', 'http://h/hook', ''],
  ['http://h/hook', 'http://h/hooks/orders', undefined],
  ['http://h/hook', 'http://other/hook/orders', undefined],
  ['http://h/hook?key=1', 'http://h/hook/orders?key=1', '/orders'],
  ['http://h/hook?key=1', 'http://h/hook/orders?key=~abc&page=2', '/orders?page=2'],
  ['http://h?a=1&b=2', 'http://h/orders?a=1&b=2&c=3', '/orders?c=3'],
])('below %s, %s is %s', (base, url, below) => {
  expect(pathBelow(base, url)).toBe(below)
})

test('what was joined is found below its base again', () => {
  for (const base of ['http://h', 'http://h/a/?k=1', 'http://h/a?k=1&l=2#part'])
    for (const target of ['/orders', '/orders?page=2&size=3'])
      expect(pathBelow(base, joinUrl(base, target))).toBe(target)
})
