// @module-tag slow
/** The CRM that we play, as an Ordering Application sees it over the wire: what it accepts and what it shows. */
import { expect, test } from 'vitest'
import { customerTests } from '../../../test/support/customer-conversation.ts'
import { customerProcessingMs, openCustomerWire } from '../../../test/support/customer-wire.ts'

type Json = Readonly<Record<string, unknown>>

/** Pushed records. */
customerTests(`
# [CUS-LED-01, CUS-LED-02, CUS-LED-03] a lead without its <field> is 400
POST /leads {lead: <lead>} => 400 ~lead.<field>
POST /v1/customer/leads:ingest {lead: <lead>} => 400 ~lead.<field>
| field | lead
| id | {source: site, status: quente, customerRef: c}
| source | {id: l-1, status: quente, customerRef: c}
| status | {id: l-1, source: site, customerRef: c}

# a lead without an id is identified by its contact
take /leads, {lead: {name: Caio, contact: {type: phone, value: +55 11 90000-0101}}}
take /leads, [{contact: {type: phone, value: "5511900000101"}, source: x}]
list /leads => [{name: Caio, source: x, id: /./}]

# [CUS-FLW-05, CUS-FLW-06, CUS-BND-04, CUS-BND-05, CUS-PAY-04, CUS-MAP-03, CUS-UND-05, CUS-UND-06] orders in customer context are accepted in either shape, and read by id
order o-1 as whole
take /orders, {order: $whole} => 202
take /v1/customer/orders:ingest, {id: o-2, storeId: loja-1, customer: {identifier: {type: phone, value: "1"}}, totalAmount: 12.5,
  items: [{sku: x, name: X, quantity: 1, unitPrice: 12.5}]} => 202
list /orders
=> [$whole, {id: o-2, storeId: loja-1, customer: {identifier: {type: phone, value: "1"}}, totalAmount: 12.5,
  items: [{sku: x, name: X, quantity: 1, unitPrice: 12.5}]}] as orders
value $orders.0 => is $whole
list /v1/customer/orders => is $orders
read /orders/o-1 => is $whole
read /v1/customer/orders/o-1 => is $whole
GET /orders/o-3 => 404
GET /v1/customer/orders/o-3 => 404
// Both have the same phone: one customer, with the name from the first order.
list /customers => [{name: Ana, status: active}]

# [REV-GEN-01, REV-MAP-01, REV-UND-01, REV-UND-02, REV-BND-01] reviews of any fields are accepted, each with its customer, and read by id
sample c as c
order o-1 as o
take /customers, {customer: $c}
take /orders, {order: $o}
take /reviews, {review: {id: r-1, customerId: c, ratings: [{method: nps, value: 9, isOverall: true}], comment: bom}}
=> 202
take /v1/customer/reviews:ingest, {reviews: [{id: r-2, orderId: o-1, overallRating: {value: true}, whatever: {x: 1}}]}
=> 202
take /v1/customer/reviews, {items: [{rating: 3}]} => 202
list /reviews => [{}, {}, {id: /./, ratings: [{value: 3}]}] as reviews
list /v1/customer/reviews => is $reviews
read /reviews/r-1
=> is {id: r-1, customerId: c, ratings: [{method: nps, value: 9, isOverall: true}], comment: bom}
read /v1/customer/reviews/r-2
=> is {id: r-2, orderId: o-1, overallRating: {value: true}, whatever: {x: 1}}
value $reviews.0 => {id: r-1}
value $reviews.1 => {id: r-2}
GET /reviews/r-9 => 404 REVIEW_NOT_FOUND
labels review => is [unknown, Ana Souza, Ana Souza]

# [REV-BND-01] the draft can be switched off without the rest of Reviews
with {conduct: {customer: {draftReviews: false}}}
take /v1/customer/reviews:ingest, {review: {rating: 5}} => 404
take /reviews, {review: {rating: 5}} => 202

# [CUS-RUL-01, CUS-PAY-01] 202 is sent at once, the effect follows after the configured time; the receipt may have a body
with {conduct: {customer: {processing: 10s, receipt: accepted}}}
sample a as a
POST /v1/customer/customers:ingest {customer: $a} => 202 is {status: ACCEPTED, correlationId: /./}
pass 9999ms
list /customers => is []
GET /customers/a => 404
pass 1ms
list /customers => [{}]

# [CUS-OVR-08, CUS-OVR-01, CUS-OVR-02, CUS-OVR-03, CUS-TEN-01] an identifier of type <type> alone is accepted in both notations and enriched later
take /customers, {customer: {identifier: {type: <type>, value: x1}}} => 202
take /v1/customer/customers:ingest, {customer: {identifier: {type: <type>, value: x1}}} => 202
list /customers => [{identifier: {type: <type>}}] as first
take /customers, {customer: {identifier: {type: <type>, value: <again>}, name: {first: Ana}, metadata: {tags: [vip], deep: {er: null}}}}
list /customers
=> [{id: $first.0.id, name: {first: Ana}, metadata: {tags: [vip], deep: {er: null}}}]
| type | again
| document | x1
| phone | x1
| email | X1
| external_id | x1
| custom | x1

# [CUS-OVR-04, CUS-OVR-05, CUS-OVR-06, CUS-OVR-07, CUS-UND-02, CUS-ING-02, CUS-ING-03, CUS-ING-04, CUS-ING-05, CUS-ING-06, CUS-ING-07] the seven fields of the binding are sufficient without an identifier, and none of them can be left out: <field>
sample a as a
less $a, identifier as seven
less $seven, <field> as six
POST /v1/customer/customers:ingest {customer: $six} => 400 ~<field>
merge $seven, {document: 7, address: [Rua A], demographics: {birthDate: "1990-05-17"}} as more
take /v1/customer/customers:ingest, {customer: $more} => 202
list /customers => [$more]
list /customers => [{identifier: {type: external_id, value: app:a}}]
| field
| id
| externalIds
| name
| contacts
| consent
| createdAt
| updatedAt

# [CUS-TEN-01] strict mode requires one of the two sets of fields: <fields>
with {conduct: {customer: {requiredFields: <fields>}}}
sample a as a
less $a, identifier as seven
take /customers, {customer: {identifier: {type: phone, value: "1"}}} => <bare>
take /customers, {customers: [$seven]} => <whole>
| fields | bare | whole
| overview | 202 | 400
| binding | 400 | 202
| either | 202 | 202

# [CUS-TEN-01, CUS-UND-02] customers are shown as <shape> when configured
with {conduct: {customer: {customerShape: <shape>}}}
sample a as a
take /customers, {customer: $a}
list /customers => [{<has>: ANY}] as shown
value $shown.0 => not {<lacks>: ANY}
value $shown.0.contacts => <contacts>
read /customers/a => is $shown.0
| shape | has | lacks | contacts
| union | identifier | none | {email: TEXT}
| union | createdAt | none | {email: TEXT}
| overview | identifier | createdAt | {email: TEXT}
| binding | createdAt | identifier | {email: TEXT}
| lists | identifier | none | [{}, {}]
| lists | createdAt | none | [{}, {}]

# [CUS-TEN-06, CUS-OVR-09] a duplicate is <status> without effect
with {conduct: {customer: {duplicate: <status>}}}
sample a as a
order o-1 as o
take /customers, {customer: $a} => 202
list /customers as before
POST /v1/customer/customers:ingest {customer: $a} => <status> <code>
pass 1s
list /customers => is $before
sample a, {name: Ana Maria} as renamed
take /customers, {customer: $renamed} => 202
list /customers => [{name: Ana Maria}]
take /leads, {lead: {id: l, source: s, status: x}} => 202
take /leads, {lead: {id: l, source: s, status: x}} => <status>
take /orders, {order: $o} => 202
take /orders, {order: $o} => <status>
take /reviews, {review: {id: r, rating: 1}} => 202
take /reviews, {review: {id: r, rating: 1}} => <status>
| status | code
| 202 | NO_BODY
| 409 | DUPLICATE

# [CUS-ERR-05] 409 for a customer older than its sender’s last push; for a batch only if all records are older
sample a, {name: new, updatedAt: "2026-01-05T14:30:00.000Z"} as new
sample a, {name: old, updatedAt: "2026-01-05T14:20:00.000Z"} as old
sample b as other
take /customers, {customer: $new} => 202
POST /customers {customer: $old} => 409 VERSION_CONFLICT ~customer.updatedAt
sample a, {name: same, updatedAt: "2026-01-05T14:30:00.000Z"} as same
take /customers, {customer: $same} => 202
take /customers, [$old, $other] => 202
list /customers => [{name: same}, {name: Ana Souza}]

# [CUS-ERR-05] an older record is merged instead, when configured
with {conduct: {customer: {staleWrite: 202}}}
sample a as a
sample a, {name: older, demographics: {gender: FEMALE}, updatedAt: "2026-01-05T13:00:00.000Z"} as late
take /customers, {customer: $a}
take /customers, {customer: $late} => 202
read /customers/a => {name: Ana Souza, demographics: {gender: FEMALE}}

# [CUS-OVR-09, CUS-FLW-03] a customer is found by the id in the list and by its sender’s id, under <base>
with {conduct: {customer: {ids: own}}}
sample mine as mine
take /customers, {customer: $mine}
list /customers => [{}] as shown
value $shown.0 => not {id: mine}
read <base>/$shown.0.id => is $shown.0
read <base>/mine => is $shown.0
GET <base>/unknown => 404 CUSTOMER_NOT_FOUND
| base
| /customers
| /v1/customer/customers

# [CUS-STA-01, CUS-UND-03, CUS-FLW-01] a pushed lead becomes active with its first order, and no order makes it a lead again
with {conduct: {customer: {statusField: stage}}}
sample a, {identifier: {type: phone, value: "1"}, stage: lead} as known
order o-1 as o
take /customers, {customer: $known}
read /customers/a => {stage: lead}
take /orders, {order: $o}
read /customers/a => {stage: active}
take /customers, {customer: $known}
read /customers/a => {stage: active}
merge $known, {stage: inactive} as inactive
take /customers, {customer: $inactive}
read /customers/a => {stage: inactive}

# [CUS-UND-03] orders do not change a status when configured
with {conduct: {customer: {firstOrder: false}}}
order o-1 as o
take /customers, {customer: {identifier: {type: phone, value: "1"}}}
take /orders, {order: $o}
list /customers => [{status: lead}]
`)

test('[CUS-OVR-09, CUS-TEN-06] fifty concurrent pushes of one person, by phone, e-mail and external id, yield one record', async () => {
  await using wire = await openCustomerWire()
  const said = [
    { identifier: { type: 'phone', value: '+55 11 9' }, externalIds: ['app:1'] },
    { identifier: { type: 'email', value: 'a@b' }, externalIds: ['app:1'] },
    { identifier: { type: 'external_id', value: 'app:1' }, name: 'Ana' },
    { identifier: { type: 'email', value: 'A@B' }, contacts: { email: 'a@b' } },
  ]
  const answers = await Promise.all(
    Array.from({ length: 50 }, (_, number) =>
      wire.post(number % 2 === 0 ? '/customers' : '/v1/customer/customers:ingest', {
        customer: said[number % said.length],
      }),
    ),
  )
  expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([202]))
  await wire.pass(customerProcessingMs)
  const [one, ...others] = await wire.list('/customers')
  expect(others).toEqual([])
  expect(one).toMatchObject({ externalIds: ['app:1'], name: 'Ana', contacts: { email: 'a@b' } })
})

const crowdOf = (count: number): readonly Json[] =>
  Array.from({ length: count }, (_, number) => ({
    id: `c-${number}`,
    identifier: { type: 'phone', value: String(100 + number) },
    externalIds: [`app:${number}`],
    merchantId: number % 2 === 0 ? 'even' : 'odd',
    updatedAt: `2026-01-05T14:${String(number).padStart(2, '0')}:00.000Z`,
  }))

test('[CUS-UND-04, CUS-FLW-02] have pages that are complete together', async () => {
  await using wire = await openCustomerWire()
  await wire.post('/customers', { customers: crowdOf(25) })
  await wire.pass(customerProcessingMs)
  const ids: unknown[] = []
  for (let page = 1; page <= 3; page++) {
    const body = await wire.read(`/customers?page=${page}&pageSize=10`)
    expect(body).toMatchObject({ page, pageSize: 10, total: 25 })
    ids.push(...(body['items'] as Json[]).map(({ id }) => id))
  }
  expect(ids).toEqual(Array.from({ length: 25 }, (_, number) => `c-${number}`))
  expect((await wire.read('/customers?page=9&pageSize=10'))['items']).toEqual([])
  expect(await wire.read('/customers')).toMatchObject({ page: 1, pageSize: 50, total: 25 })
})

/** Lists. */
customerTests(`
# [CUS-UND-04] lists have the configured shape: <list>
with {conduct: {customer: {list: <list>}}}
take /customers, {customers: [{id: c-0, identifier: {type: phone, value: "100"}}, {id: c-1, identifier: {type: phone, value: "101"}}]}
GET /customers?pageSize=<size> => 200 <shape>
| list | size | shape
| items | 1 | {items: [{}], page: 1, pageSize: 1, total: 2}
| named | 1 | {customers: [{}], page: 1, pageSize: 1, total: 2}
| pagination | 1 | {items: [{}], pagination: {page: 1, pageSize: 1, total: 2}}
| array | 50 | [{}, {}]

# [CUS-UND-04] lists filter by identifier, external id, merchant, and period under either name: <query>
take /customers, {customers: ${JSON.stringify(crowdOf(10))}}
ids /customers?<query> => is [<ids>]
| query | ids
| customerIdentifierType=phone&customerIdentifierValue=1-03 | c-3
| customerIdentifierType=email&customerIdentifierValue=103 |
| externalId=app:7 | c-7
| merchantId=odd&pageSize=2 | c-1, c-3
| updatedFrom=2026-01-05T14:03:00Z&updatedTo=2026-01-05T11%3A05%3A00-03%3A00 | c-3, c-4, c-5
| from=2026-01-05T14:03:00Z&to=2026-01-05T11%3A05%3A00-03%3A00 | c-3, c-4, c-5
| from=2026-01-05T15:00:00Z |

# lists filter orders by customer and store, reviews by order: <path>
order o-1, {customer: {id: "1", name: A, phone: {number: "1"}, ordersCountOnMerchant: 0}} as first
order o-2, {customer: {id: "2", name: A, phone: {number: "2"}, ordersCountOnMerchant: 0}} as second
take /orders, [$first, $second, {id: o-3, storeId: loja-2, originChannel: kiosk, createdAt: "2026-01-01T00:00:00Z"}]
take /reviews, [{id: r-1, orderId: o-1}, {id: r-2, orderId: o-2}]
ids <path> => is [<ids>]
| path | ids
| /orders?customerIdentifierType=phone&customerIdentifierValue=2 | o-2
| /orders?storeId=loja-1 | o-1, o-2
| /orders?originChannel=kiosk | o-3
| /orders?createdTo=2026-01-02 | o-3
| /reviews?customerIdentifierType=phone&customerIdentifierValue=2 | r-2
| /reviews?orderId=o-1 | r-1

# [CUS-ERR-01] ?<query> is <status>, with the parameter’s name if it is refused
with {listen: false}
GET /customers?<query> => <status> <words>
GET /v1/customer/customers?<query> => <status> <words>
GET /leads?<query> => <status> <words>
GET /v1/customer/leads?<query> => <status> <words>
GET /orders?<query> => <status> <words>
GET /v1/customer/orders?<query> => <status> <words>
GET /reviews?<query> => <status> <words>
GET /v1/customer/reviews?<query> => <status> <words>
| query | status | words
| page=0 | 400 | ~page
| page=x | 400 | ~page
| page=1.5 | 400 | ~page
| pageSize=0 | 400 | ~pageSize
| pageSize=501 | 400 | ~pageSize
| pageSize=-1 | 400 | ~pageSize
| updatedFrom=yesterday | 400 | ~updatedFrom
| updatedFrom=2026-02-30 | 400 | ~updatedFrom
| updatedFrom=2026-01-02&updatedTo=2026-01-01 | 400 | ~updatedFrom
| createdFrom= | 200 |
| customerIdentifierType=phone | 400 | ~customerIdentifier
| customerIdentifierValue=1 | 400 | ~customerIdentifier
| customerIdentifierType=cpf&customerIdentifierValue=1 | 400 | ~customerIdentifier
`)
