/** Near misses of SE-9. */
import { nearMisses } from '../../../../../../test/support/near-misses.ts'
import { callsMatchTheOrder } from './calls-match-the-order.ts'

nearMisses(callsMatchTheOrder)(`
  order := 0 created a type=DELIVERY
  address := "address":{"street":"Rua Augusta, 1500","postalCode":"01304-001","formattedAddress":"Rua Augusta, 1500 - Consolação"}
  merchant := "merchant":{"id":"loja-1"}
  total := "total":{"orderAmount":{"value":40,"currency":"BRL"}}
  ends := "fulfillment":{"delivery":{$address},"takeout":{"pickupCode":"7"}}
  document := {"status":"CONFIRMED",$merchant,"displayId":"17",$total,$ends}
  shown := 0 read a CONFIRMED answer=$document
  # The GET showed all of the document, and the request says this as well.
  asked(fields) := order; shown; 1000 createDelivery a body={"orderId":"a",$fields}
  to(places) := asked("dropoff":{"address":{$places}})
  price(value) := asked("totalOrderPrice":{"value":$value,"currency":"BRL"})
  ready(body) := 0 created a; shown; 1000 setOrderReadyForPickup a body={$body}
  wrong(what|shownAt=00.000) := "The service requested a delivery for o1 at 15:00:01.000 with other data than GET had returned
    (at 15:00:$shownAt): $what."
  otherMerchant := wrong(the merchant loja-2 instead of loja-1) a 0,1000
  otherNumber := wrong(the number 18 instead of 17) a 0,1000

  LOG-FLD-04 nothing is said | order; shown; 1000 createDelivery a => passed
  LOG-FLD-04 the order was not read | order; 1000 createDelivery a body={"orderId":"a","merchant":{"id":"loja-2"}} => not-exercised
  LOG-FLD-04 the GET was answered after the call had begun | order; 0 read a CONFIRMED answer=$document took=1001;
    1000 createDelivery a took=10 body={"orderId":"a","merchant":{"id":"loja-2"}} => not-exercised
  LOG-FLD-04 the GET was answered as the call began | order; 0 read a CONFIRMED answer=$document took=1000;
    1000 createDelivery a body={"orderId":"a","merchant":{"id":"loja-2"}} => otherMerchant
  LOG-FLD-04 the same merchant | asked($merchant) => passed
  LOG-FLD-04 another merchant | asked("merchant":{"id":"loja-2"}) => otherMerchant
  LOG-FLD-04 the GET named none | order; 0 read a CONFIRMED answer={"status":"CONFIRMED","merchant":{},"displayId":"17",$total,$ends};
    1000 createDelivery a body={"orderId":"a","merchant":{"id":"loja-2"}} => passed
  LOG-FLD-02 the same number | asked("orderDisplayId":"17") => passed
  LOG-FLD-02 another number | asked("orderDisplayId":"18") => otherNumber
  LOG-FLD-02 another number by its other name | asked("displayId":"18") => otherNumber
  LOG-FLD-02 of two names the first counts | asked("orderDisplayId":"17","displayId":"18") => passed
  ORD-EVR-01 the same street | to("street":"Rua Augusta, 1500") => passed
  ORD-EVR-01 the street without its number | to("street":"RUA AUGUSTA") => passed
  ORD-EVR-01 the street with more | to("street":"Rua Augusta 1500, apto 3") => passed
  ORD-EVR-01 another street | to("street":"Rua Bela Cintra, 9") => wrong(the address Rua Bela Cintra, 9 instead of Rua Augusta, 1500) a 0,1000
  ORD-EVR-01 another street, but the same code | to("street":"Rua Bela Cintra, 9","postalCode":"01304001") => passed
  ORD-EVR-01 another code | to("postalCode":"99999-000") => wrong(the address 99999-000 instead of Rua Augusta, 1500) a 0,1000
  ORD-EVR-01 another address as one text | to("formattedAddress":"Rua Bela Cintra, 9")
    => wrong(the address undefined instead of Rua Augusta, 1500) a 0,1000
  ORD-EVR-01 an empty street | to("street":"") => passed
  ORD-EVR-01 a GET with a code only | order; 0 read a CONFIRMED
    answer={"status":"CONFIRMED",$merchant,"displayId":"17",$total,"fulfillment":{"delivery":{"address":{"postalCode":"01304-001"}}}};
    1000 createDelivery a body={"orderId":"a","dropoff":{"address":{"postalCode":"99999-000","street":"Rua Bela Cintra"}}}
    => wrong(the address Rua Bela Cintra instead of 01304-001) a 0,1000
  ORD-EVR-01 the same price | price(40) => passed
  ORD-EVR-01 another price | price(41) => wrong(the price 41 instead of 40) a 0,1000
  ORD-EVR-01 no price | asked("totalOrderPrice":{"currency":"BRL"}) => passed
  ORD-EVR-01 the GET named none | order; 0 read a CONFIRMED answer={"status":"CONFIRMED",$merchant,"displayId":"17","total":{},$ends};
    1000 createDelivery a body={"orderId":"a","totalOrderPrice":{"value":41,"currency":"BRL"}} => passed
  ORD-EVR-01 the price changed between two GETs | order; shown; 500 read a CONFIRMED
    answer={"status":"CONFIRMED",$merchant,"displayId":"17","total":{"orderAmount":{"value":20}},$ends};
    1000 createDelivery a body={"orderId":"a","totalOrderPrice":{"value":41,"currency":"BRL"}} => passed
  ORD-EVR-01 the last GET counts | order; shown; 500 read a CONFIRMED answer={"status":"CONFIRMED",$merchant,"displayId":"18",$total,$ends};
    1000 createDelivery a body={"orderId":"a","displayId":"17"} => wrong(the number 17 instead of 18|00.500) a 500,1000
  ORD-EVR-01 a body that is no object | order; shown; 1000 createDelivery a 422 to=ordering-application body="[" => not-exercised
  ORD-EVR-01 each mistake is reported once | order; shown;
    1000,1001 createDelivery a body={"orderId":"a","displayId":"18"} & createDelivery a body={"orderId":"a","displayId":"19"}
    => otherNumber; wrong(the number 19 instead of 17) a 0,1000
  ORD-EVR-01 the same pickup code | ready("pickupCode":"7") => passed
  ORD-EVR-01 another pickup code | ready("pickupCode":"8") => "The service reported o1 as ready at 15:00:01.000 with other data than GET had
    returned (at 15:00:00.000): the pickup code 8 instead of 7." a 0,1000
  ORD-EVR-01 no pickup code | ready("merchant":{"id":"loja-2"}) => passed
  ORD-EVR-01 no body | 0 created a; shown; 1000 setOrderReadyForPickup a => not-exercised
`)
