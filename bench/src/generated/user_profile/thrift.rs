// Made by generate.py from what `thrift --gen rs` writes.
#![allow(unused_parens, unused_imports, clippy::all)]

use super::types::*;
use thrift::protocol::{TFieldIdentifier, TInputProtocol, TListIdentifier, TOutputProtocol, TSerializable};
use thrift::protocol::{TStructIdentifier, TType, field_id, verify_required_field_exists};

impl TSerializable for Subscription {
    fn read_from_in_protocol(i_prot: &mut dyn TInputProtocol) -> thrift::Result<Subscription> {
        i_prot.read_struct_begin()?;
        let mut f_1: Option<String> = None;
        let mut f_2: Option<i64> = None;
        loop {
            let field_ident = i_prot.read_field_begin()?;
            if field_ident.field_type == TType::Stop {
                break;
            }
            let field_id = field_id(&field_ident)?;
            match field_id {
                1 => {
                    let val = i_prot.read_string()?;
                    f_1 = Some(val);
                }
                2 => {
                    let val = i_prot.read_i64()?;
                    f_2 = Some(val);
                }
                _ => {
                    i_prot.skip(field_ident.field_type)?;
                }
            };
            i_prot.read_field_end()?;
        }
        i_prot.read_struct_end()?;
        verify_required_field_exists("Subscription.tier", &f_1)?;
        verify_required_field_exists("Subscription.expires_at", &f_2)?;
        let ret = Subscription {
            tier: f_1.expect("auto-generated code should have checked for presence of required fields"),
            expires_at: f_2.expect("auto-generated code should have checked for presence of required fields"),
        };
        Ok(ret)
    }
    fn write_to_out_protocol(&self, o_prot: &mut dyn TOutputProtocol) -> thrift::Result<()> {
        let struct_ident = TStructIdentifier::new("Subscription");
        o_prot.write_struct_begin(&struct_ident)?;
        o_prot.write_field_begin(&TFieldIdentifier::new("tier", TType::String, 1))?;
        o_prot.write_string(&self.tier)?;
        o_prot.write_field_end()?;
        o_prot.write_field_begin(&TFieldIdentifier::new("expires_at", TType::I64, 2))?;
        o_prot.write_i64(self.expires_at)?;
        o_prot.write_field_end()?;
        o_prot.write_field_stop()?;
        o_prot.write_struct_end()
    }
}

impl TSerializable for Preferences {
    fn read_from_in_protocol(i_prot: &mut dyn TInputProtocol) -> thrift::Result<Preferences> {
        i_prot.read_struct_begin()?;
        let mut f_1: Option<String> = None;
        let mut f_2: Option<bool> = None;
        loop {
            let field_ident = i_prot.read_field_begin()?;
            if field_ident.field_type == TType::Stop {
                break;
            }
            let field_id = field_id(&field_ident)?;
            match field_id {
                1 => {
                    let val = i_prot.read_string()?;
                    f_1 = Some(val);
                }
                2 => {
                    let val = i_prot.read_bool()?;
                    f_2 = Some(val);
                }
                _ => {
                    i_prot.skip(field_ident.field_type)?;
                }
            };
            i_prot.read_field_end()?;
        }
        i_prot.read_struct_end()?;
        verify_required_field_exists("Preferences.theme", &f_1)?;
        verify_required_field_exists("Preferences.notifications", &f_2)?;
        let ret = Preferences {
            theme: f_1.expect("auto-generated code should have checked for presence of required fields"),
            notifications: f_2.expect("auto-generated code should have checked for presence of required fields"),
        };
        Ok(ret)
    }
    fn write_to_out_protocol(&self, o_prot: &mut dyn TOutputProtocol) -> thrift::Result<()> {
        let struct_ident = TStructIdentifier::new("Preferences");
        o_prot.write_struct_begin(&struct_ident)?;
        o_prot.write_field_begin(&TFieldIdentifier::new("theme", TType::String, 1))?;
        o_prot.write_string(&self.theme)?;
        o_prot.write_field_end()?;
        o_prot.write_field_begin(&TFieldIdentifier::new("notifications", TType::Bool, 2))?;
        o_prot.write_bool(self.notifications)?;
        o_prot.write_field_end()?;
        o_prot.write_field_stop()?;
        o_prot.write_struct_end()
    }
}

impl TSerializable for UserProfile {
    fn read_from_in_protocol(i_prot: &mut dyn TInputProtocol) -> thrift::Result<UserProfile> {
        i_prot.read_struct_begin()?;
        let mut f_1: Option<i64> = None;
        let mut f_2: Option<String> = None;
        let mut f_3: Option<String> = None;
        let mut f_4: Option<i64> = None;
        let mut f_5: Option<i64> = None;
        let mut f_6: Option<Preferences> = None;
        let mut f_7: Option<Subscription> = None;
        loop {
            let field_ident = i_prot.read_field_begin()?;
            if field_ident.field_type == TType::Stop {
                break;
            }
            let field_id = field_id(&field_ident)?;
            match field_id {
                1 => {
                    let val = i_prot.read_i64()?;
                    f_1 = Some(val);
                }
                2 => {
                    let val = i_prot.read_string()?;
                    f_2 = Some(val);
                }
                3 => {
                    let val = i_prot.read_string()?;
                    f_3 = Some(val);
                }
                4 => {
                    let val = i_prot.read_i64()?;
                    f_4 = Some(val);
                }
                5 => {
                    let val = i_prot.read_i64()?;
                    f_5 = Some(val);
                }
                6 => {
                    let val = Preferences::read_from_in_protocol(i_prot)?;
                    f_6 = Some(val);
                }
                7 => {
                    let val = Subscription::read_from_in_protocol(i_prot)?;
                    f_7 = Some(val);
                }
                _ => {
                    i_prot.skip(field_ident.field_type)?;
                }
            };
            i_prot.read_field_end()?;
        }
        i_prot.read_struct_end()?;
        verify_required_field_exists("UserProfile.user_id", &f_1)?;
        verify_required_field_exists("UserProfile.username", &f_2)?;
        verify_required_field_exists("UserProfile.email", &f_3)?;
        verify_required_field_exists("UserProfile.created_at", &f_4)?;
        verify_required_field_exists("UserProfile.last_login", &f_5)?;
        verify_required_field_exists("UserProfile.preferences", &f_6)?;
        verify_required_field_exists("UserProfile.subscription", &f_7)?;
        let ret = UserProfile {
            user_id: f_1.expect("auto-generated code should have checked for presence of required fields"),
            username: f_2.expect("auto-generated code should have checked for presence of required fields"),
            email: f_3.expect("auto-generated code should have checked for presence of required fields"),
            created_at: f_4.expect("auto-generated code should have checked for presence of required fields"),
            last_login: f_5.expect("auto-generated code should have checked for presence of required fields"),
            preferences: f_6.expect("auto-generated code should have checked for presence of required fields"),
            subscription: f_7.expect("auto-generated code should have checked for presence of required fields"),
        };
        Ok(ret)
    }
    fn write_to_out_protocol(&self, o_prot: &mut dyn TOutputProtocol) -> thrift::Result<()> {
        let struct_ident = TStructIdentifier::new("UserProfile");
        o_prot.write_struct_begin(&struct_ident)?;
        o_prot.write_field_begin(&TFieldIdentifier::new("user_id", TType::I64, 1))?;
        o_prot.write_i64(self.user_id)?;
        o_prot.write_field_end()?;
        o_prot.write_field_begin(&TFieldIdentifier::new("username", TType::String, 2))?;
        o_prot.write_string(&self.username)?;
        o_prot.write_field_end()?;
        o_prot.write_field_begin(&TFieldIdentifier::new("email", TType::String, 3))?;
        o_prot.write_string(&self.email)?;
        o_prot.write_field_end()?;
        o_prot.write_field_begin(&TFieldIdentifier::new("created_at", TType::I64, 4))?;
        o_prot.write_i64(self.created_at)?;
        o_prot.write_field_end()?;
        o_prot.write_field_begin(&TFieldIdentifier::new("last_login", TType::I64, 5))?;
        o_prot.write_i64(self.last_login)?;
        o_prot.write_field_end()?;
        o_prot.write_field_begin(&TFieldIdentifier::new("preferences", TType::Struct, 6))?;
        self.preferences.write_to_out_protocol(o_prot)?;
        o_prot.write_field_end()?;
        o_prot.write_field_begin(&TFieldIdentifier::new("subscription", TType::Struct, 7))?;
        self.subscription.write_to_out_protocol(o_prot)?;
        o_prot.write_field_end()?;
        o_prot.write_field_stop()?;
        o_prot.write_struct_end()
    }
}
