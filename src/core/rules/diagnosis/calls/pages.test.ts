/** When a reply of success is called a web page: by its body, whatever media type a framework writes. */
import { expect, test } from 'vitest'
import { operation } from '../../../protocol/catalogue.ts'
import { Configuration } from '../../../session-api/configuration/schema.ts'
import { engineSettings } from '../../../session/settings.ts'
import { callDiagnosis } from './catalogue.ts'

const adviceFor = (status: number, body: string | undefined, type: string | undefined) =>
  callDiagnosis({
    from: 'ordering-application',
    method: 'POST',
    url: 'http://127.0.0.1:3000/webhooks/orders',
    row: operation('receiveOrderEvent'),
    hasToken: false,
    settings: engineSettings(Configuration.parse({}), ['ordering-application'], []),
    reply: {
      status,
      headers: type === undefined ? [] : [['Content-Type', type]],
      ...(body === undefined ? {} : { body }),
    },
  }).advice

const html = 'text/html; charset=utf-8'

test.each([
  ['an empty 204, as Flask and PHP write it', 204, undefined, html],
  ['an empty 200', 200, '', 'text/html'],
  ['blanks', 200, ' \r\n', html],
  ['a word', 200, 'OK', html],
  ['JSON of a script without a media type', 200, '{"ok":true}', html],
  ['JSON with markup in it', 200, '"<b>ok</b>"', html],
  ['XML that says what it is', 200, '<ok/>', 'application/xml'],
  ['JSON', 200, '{}', 'application/json'],
])('%s is no page', (_what, status, body, type) => {
  expect(adviceFor(status, body, type)).toBeUndefined()
})

test.each([
  ['a page', '<!doctype html><title>Login</title>', html],
  ['a part of one', '<p>It works!</p>', html],
  ['one behind a byte order mark', '\u{FEFF}\n<html></html>', html],
  ['one without a media type', '<!DOCTYPE HTML><p>', undefined],
  ['one as plain text', '<html>', 'text/plain'],
])('%s is a page, and the address is probably another', (_what, body, type) => {
  expect(adviceFor(200, body, type)).toBe(
    'your service answers POST /webhooks/orders with an HTML page: is --subject the right address, and the path the right one?',
  )
})
