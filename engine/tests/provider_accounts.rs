//! Provider accounts and the versions of their policy.

#![allow(clippy::unwrap_used, clippy::indexing_slicing, clippy::panic)] // as in any test

use domain::{
    account::ProviderKind,
    actor::{Actor, Role},
    time::Zone,
};
use engine::{
    Engine, Error, Sources,
    providers::{self, Added, NewProvider},
    testing::both,
};

fn new(fields: &[(&str, &str)]) -> NewProvider {
    NewProvider {
        name: "stripe-eu".into(),
        kind: ProviderKind::Stripe,
        zone: "Europe/Berlin".parse::<Zone>().unwrap(),
        fields: owned(fields),
    }
}

fn owned(fields: &[(&str, &str)]) -> Vec<(String, String)> {
    fields
        .iter()
        .map(|(f, v)| ((*f).to_owned(), (*v).to_owned()))
        .collect()
}

#[test]
fn adding_an_account_again_succeeds_only_with_the_same_fields() {
    both(async |store| {
        let engine = Engine {
            store,
            sources: Sources::system(),
        };
        let add = async |wanted: NewProvider| {
            providers::add_provider(&engine, &Actor::Operator, wanted).await
        };
        assert_eq!(add(new(&[("grace_hours", "6")])).await.unwrap(), Added::New);
        assert_eq!(
            add(new(&[("grace_hours", "6")])).await.unwrap(),
            Added::Known
        );
        let other = add(new(&[])).await.unwrap_err().to_string();
        assert!(other.contains("grace_hours is 6"), "{other}");
        let kind = NewProvider {
            kind: ProviderKind::Adyen,
            ..new(&[("grace_hours", "6")])
        };
        let other = add(kind).await.unwrap_err().to_string();
        assert!(other.contains("kind is stripe"), "{other}");
        assert!(matches!(
            add(new(&[("grace", "6")])).await,
            Err(Error::Invalid { .. })
        ));
        for name in ["", "-x", "a b", "a/b", "ü"] {
            let wanted = NewProvider {
                name: name.into(),
                ..new(&[])
            };
            assert!(
                matches!(add(wanted).await, Err(Error::Invalid { field: "name", .. })),
                "{name}"
            );
        }
    });
}

#[test]
fn a_changed_policy_is_a_new_version_and_names_who_changed_it() {
    both(async |store| {
        let engine = Engine {
            store,
            sources: Sources::system(),
        };
        let admin = Actor::Person {
            user_id: 1,
            email: "adm@example.com".into(),
            roles: [Role::Admin].into(),
        };
        providers::add_provider(&engine, &Actor::Operator, new(&[]))
            .await
            .unwrap();
        let change = async |fields: &[(&str, &str)]| {
            providers::change_policy(&engine, &admin, "stripe-eu", &owned(fields)).await
        };
        assert_eq!(change(&[("coverage", "daily")]).await.unwrap(), 1);
        assert_eq!(
            change(&[("coverage", "none"), ("grace_hours", "1")])
                .await
                .unwrap(),
            2
        );
        let listed = providers::list(&engine, &admin).await.unwrap();
        assert_eq!(listed.len(), 1);
        assert_eq!(
            (listed[0].policy_version, listed[0].changed_by.as_str()),
            (2, "adm@example.com")
        );
        let field = |name: &str| listed[0].policy.iter().find(|f| f.field == name).unwrap();
        assert_eq!(field("coverage").value, "none");
        assert_eq!(field("coverage").choices.len(), 2);
        // What would have no effect is refused, not kept.
        let refused = change(&[("composite_auto", "on")]).await.unwrap_err();
        assert!(
            refused.to_string().contains("proposed to a person"),
            "{refused}"
        );
        assert_eq!(field("grace_hours").value, "1");
        assert_eq!(field("settlement_delay_days").value, "2");

        let nobody = Actor::Person {
            user_id: 1,
            email: "x@example.com".into(),
            roles: [Role::Approver].into(),
        };
        let refused = providers::change_policy(&engine, &nobody, "stripe-eu", &[]).await;
        assert!(matches!(refused, Err(Error::Forbidden(_))), "{refused:?}");
    });
}
