//! What clients send is read without a panic, whatever it is, and means what RFC 9110 says.

use proptest::prelude::*;
use wirewise_gateway::Config;
use wirewise_gateway::negotiate::{Accept, AcceptEncoding, MediaType};

/// Text that looks like the fields of negotiation.
fn field() -> impl Strategy<Value = String> {
    prop_oneof![
        any::<String>(),
        r#"[a-z*/;,= "\\.0-9q]{0,60}"#,
        r"(\*|[a-z]{1,4})/(\*|[a-z]{1,4})(;q=[01](\.[0-9]{0,4})?)?"
    ]
}

proptest! {
    #[test]
    fn anything_can_be_sent(accept in field(), coding in field(), media in field()) {
        let known = MediaType::parse("application/json").unwrap();
        prop_assert!(Accept::parse(&accept).weight(&known) <= 1000);
        if let Some(media) = MediaType::parse(&media) {
            prop_assert!(Accept::parse(&accept).weight(&media) <= 1000);
            prop_assert!(media.essence.contains('/'));
        }
        let codings = AcceptEncoding::parse(&coding);
        prop_assert!(["gzip", "identity", "dcz"].iter().all(|coding| codings.weight(coding) <= 1000));
    }

    #[test]
    fn what_is_named_with_a_weight_has_it(kind in "[a-z]{1,8}", name in "[a-z]{1,8}", weight in 0..=1000_u16) {
        let media = MediaType::parse(&format!("{kind}/{name}")).unwrap();
        let said = format!("*/*;q=0.3, {kind}/{name};q={}.{:03}", weight / 1000, weight % 1000);
        prop_assert_eq!(Accept::parse(&said).weight(&media), weight);
        let codings = AcceptEncoding::parse(&format!("{name};q={}.{:03}", weight / 1000, weight % 1000));
        prop_assert_eq!(codings.weight(&name), weight);
    }

    #[test]
    fn any_text_may_be_a_configuration(text in prop_oneof![any::<String>(), r#"[\[\]a-z.= "{}\n0-9]{0,80}"#]) {
        if let Err(error) = Config::parse(&text) {
            prop_assert!(!error.message.is_empty());
            prop_assert!(error.span.is_none_or(|span| span.end <= text.len()));
        }
    }
}
