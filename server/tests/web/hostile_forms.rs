//! Forms with files whose parts are not what a browser sends, and texts that do not show what they are.

use crate::under_test::{Answer, Browser, UnderTest, on_both};
use domain::actor::Role;
use reqwest::{Method, StatusCode};
use std::fmt::Write as _;

const BOUNDARY: &str = "tieout-test-boundary";

async fn post(server: &UnderTest, browser: &mut Browser, path: &str, body: Vec<u8>) -> Answer {
    let request = server
        .request(Method::POST, path)
        .header("sec-fetch-site", "same-origin")
        .header(
            "content-type",
            format!("multipart/form-data; boundary={BOUNDARY}"),
        )
        .body(body);
    server.browse(browser, request).await
}

#[test]
fn headers_of_a_part_that_do_not_end_are_refused_and_not_kept() {
    on_both(async |server| {
        let mut analyst = server.signed_in_as(&[Role::Analyst]).await;
        // One header of four megabytes, and forty thousand of a hundred bytes.
        let one = format!(
            "--{BOUNDARY}\r\nContent-Disposition: form-data; name=\"{}\"\r\n\r\nx",
            "n".repeat(4 << 20)
        );
        let many = format!(
            "--{BOUNDARY}\r\n{}\r\nx",
            format!("X-Padding: {}\r\n", "p".repeat(87)).repeat(40_000)
        );
        for path in ["/files", "/payments/import"] {
            for body in [&one, &many] {
                let answer = post(&server, &mut analyst, path, body.clone().into_bytes()).await;
                assert_eq!(
                    answer.status,
                    StatusCode::REQUEST_HEADER_FIELDS_TOO_LARGE,
                    "{path}: {}",
                    answer.body.chars().take(300).collect::<String>()
                );
                assert!(answer.body.contains("65536 bytes"), "{path}");
            }
        }
        // What a browser sends is taken: a refusal about its content is not one about its headers.
        let form = format!(
            "--{BOUNDARY}\r\nContent-Disposition: form-data; name=\"provider\"\r\n\r\nnone\r\n--{BOUNDARY}--\r\n"
        );
        let answer = post(&server, &mut analyst, "/files", form.into_bytes()).await;
        assert_eq!(answer.status, StatusCode::UNPROCESSABLE_ENTITY);
    });
}

/// What a browser without scripts sends for several files, in chunks of these lengths.
async fn post_files(
    server: &UnderTest,
    browser: &mut Browser,
    lengths: &[usize],
    chunk: usize,
) -> Answer {
    let mut body = format!(
        "--{BOUNDARY}\r\nContent-Disposition: form-data; name=\"provider\"\r\n\r\nshop\r\n"
    );
    for (number, length) in lengths.iter().enumerate() {
        let name = format!("{length}-{number}-{chunk}.csv");
        let content = format!("{name},nothing of ours\r\n").repeat(length / name.len());
        write!(
            body,
            "--{BOUNDARY}\r\nContent-Disposition: form-data; name=\"file\"; filename=\"{name}\"\r\nContent-Type: text/csv\r\n\r\n{}\r\n",
            &content[..*length]
        )
        .unwrap();
    }
    write!(body, "--{BOUNDARY}--\r\n").unwrap();
    let chunks: Vec<_> = body
        .as_bytes()
        .chunks(chunk)
        .map(|bytes| Ok::<_, std::convert::Infallible>(bytes.to_vec()))
        .collect();
    let request = server
        .request(Method::POST, "/files")
        .header("sec-fetch-site", "same-origin")
        .header(
            "content-type",
            format!("multipart/form-data; boundary={BOUNDARY}"),
        )
        .body(reqwest::Body::wrap_stream(futures_util::stream::iter(
            chunks,
        )));
    server.browse(browser, request).await
}

#[test]
fn several_files_of_one_form_are_taken_whatever_their_sizes() {
    on_both(async |server| {
        let mut analyst = server.signed_in_as(&[Role::Analyst, Role::Admin]).await;
        let add = [("name", "shop"), ("kind", "generic"), ("zone", "UTC")];
        server.post(&mut analyst, "/settings/providers", &add).await;
        let forms: [(&[usize], usize); 5] = [
            (&[20_000, 20_000, 20_000, 300_000], 70_001),
            (&[20_000, 20_000, 20_000, 300_000], 999),
            (&[300_000, 300_000, 300_000], 131_073),
            (&[300_000, 300_000, 300_000], 1 << 20),
            (&[13_000_000, 13_000_000], 1_000_003),
        ];
        for (lengths, chunk) in forms {
            let answer = post_files(&server, &mut analyst, lengths, chunk).await;
            assert_eq!(
                answer.status,
                StatusCode::SEE_OTHER,
                "{lengths:?} in chunks of {chunk}: {}",
                answer.body.chars().take(300).collect::<String>()
            );
        }
        let files = server.get(&mut analyst, "/files").await.body;
        for name in [
            "300000-3-70001.csv",
            "300000-2-131073.csv",
            "13000000-1-1000003.csv",
        ] {
            assert!(files.contains(name), "{name}");
        }
    });
}

/// A file name that reads backwards, a reference with a space that has no width.
#[test]
fn what_cannot_be_seen_is_shown_on_pages_and_kept_in_exports() {
    on_both(async |server| {
        let mut analyst = server.signed_in_as(&[Role::Analyst, Role::Admin]).await;
        let add = [("name", "shop"), ("kind", "generic"), ("zone", "UTC")];
        server.post(&mut analyst, "/settings/providers", &add).await;
        let payments = "intent_id,merchant_reference,operation,amount,currency,direction,counterparty,created_at,loss_policy,attempt_id,attempt_no,provider,idempotency_key,provider_payment_id,started_at,finished_at,outcome,error_code\n\
            i\u{202e}1,order\u{200b}1,charge,10.00,EUR,in,\u{2066}Zo\u{eb},2026-11-02T09:00:00Z,,a1,1,shop,i1,pi_1,2026-11-02T09:00:01Z,,succeeded,\n";
        let form = format!(
            "--{BOUNDARY}\r\nContent-Disposition: form-data; name=\"file\"; filename=\"p.csv\"\r\n\r\n{payments}\r\n--{BOUNDARY}--\r\n"
        );
        let answer = post(&server, &mut analyst, "/payments/import", form.into_bytes()).await;
        assert_eq!(answer.status, StatusCode::SEE_OTHER, "{}", answer.body);

        let list = server.get(&mut analyst, "/payments").await.body;
        assert!(list.contains("i\u{27e8}U+202E\u{27e9}1"));
        assert!(list.contains("order\u{27e8}U+200B\u{27e9}1"));
        assert!(!list.contains('\u{202e}') && !list.contains('\u{200b}'));
        // The link leads to the id as it came.
        let page = server.get(&mut analyst, "/payments/i%E2%80%AE1").await;
        assert_eq!(page.status, StatusCode::OK);
        assert!(page.body.contains("i\u{27e8}U+202E\u{27e9}1"));
        // What is looked for is sent back as it was typed.
        let found = server
            .get(&mut analyst, "/payments?q=i%E2%80%AE1")
            .await
            .body;
        assert!(
            found.contains("value=\"i\u{202e}1\""),
            "the field was changed"
        );

        let export = server.get(&mut analyst, "/exports/payments.csv").await.body;
        assert!(export.contains("i\u{202e}1,order\u{200b}1,charge"));
        let mut reader = csv::Reader::from_reader(export.as_bytes());
        let rows: Vec<_> = reader.records().map(Result::unwrap).collect();
        assert_eq!(&rows[0][0], "i\u{202e}1");

        let name = "fdp\u{202e}vsc.csv";
        let form = format!(
            "--{BOUNDARY}\r\nContent-Disposition: form-data; name=\"provider\"\r\n\r\nshop\r\n--{BOUNDARY}\r\nContent-Disposition: form-data; name=\"file\"; filename=\"{name}\"\r\n\r\nnothing,of,ours\n1,2,3\n\r\n--{BOUNDARY}--\r\n"
        );
        let answer = post(&server, &mut analyst, "/files", form.into_bytes()).await;
        assert_eq!(answer.status, StatusCode::SEE_OTHER, "{}", answer.body);
        let files = server.get(&mut analyst, "/files").await.body;
        assert!(files.contains("fdp\u{27e8}U+202E\u{27e9}vsc.csv"));
        assert!(!files.contains('\u{202e}'));
    });
}
