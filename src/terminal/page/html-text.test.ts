import { expect, test } from 'vitest'
import { htmlText } from './html-text.ts'

test('a text can neither end an element or an attribute, nor hide what stands in it', () => {
  expect(htmlText(`<b title="x" id='y'>a & b</b>\u202e`)).toBe(
    '&lt;b title=&quot;x&quot; id=&#39;y&#39;&gt;a &amp; b&lt;/b&gt;\\u202e',
  )
})
